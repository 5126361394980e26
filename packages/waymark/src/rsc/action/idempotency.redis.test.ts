import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createRedisCache } from '../../../../redis/src/redisCacheDriver.ts'
import {
  describeWithRedis,
  type RedisServer,
  startRedis,
} from '../../../../redis/src/testing/redisServer.ts'
import type { HandlerResponse } from '../../http/response.ts'
import { createIdempotency, type Idempotency, type IdempotentRequest } from './idempotency.ts'
import { from, bounds as small, testSender, whole } from './testing/idempotentRequests.ts'

const bounds = { ...small, ttlMs: 60_000 }

let server: RedisServer

async function twoDrivers() {
  const prefix = randomUUID()
  const open = () => createRedisCache({ address: { urls: [server.url], prefix }, timeoutMs: 2_000 })
  const drivers = [await open(), await open()] as const
  onTestFinished(async () => {
    for (const driver of drivers) await driver.close()
  })
  return drivers
}

describeWithRedis('replicas that share a Redis', () => {
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())

  test('limit their storage, no matter what one client sends', async () => {
    const [driver] = await twoDrivers()
    const { once, attach } = createIdempotency({ bounds })
    attach(driver)
    const run = vi.fn<Parameters<Idempotency['once']>[1]>(async (onRan) => {
      await onRan()
      return whole('x'.repeat(400))
    })
    const client = createClient({ url: server.url })
    await client.connect()
    onTestFinished(() => client.destroy())
    const before = await client.dbSize()
    for (let at = 0; at < 300; at++) {
      const sent = from({ network: '192.0.2.1' }, `key-${at}`.padEnd(16, '-'))
      await once({ ...sent, isQueued: true }, run)
    }
    expect(run).toHaveBeenCalledTimes(300)
    await expect.poll(async () => (await client.dbSize()) - before).toBeLessThan(50)
  })

  test('run a request once, and both return its response', async () => {
    const replicas = (await twoDrivers()).map((driver) => {
      const idempotency = createIdempotency()
      idempotency.attach(driver)
      return idempotency
    })
    const request: IdempotentRequest = {
      key: 'k'.repeat(16),
      actionId: 'a#b',
      bodyHash: 'one',
      isQueued: false,
      timeoutMs: 1_000,
      sender: testSender({ cookie: 'session=alice' }),
    }
    const run = vi.fn(async (): Promise<HandlerResponse> => {
      await sleep(50)
      return { status: 200, headers: [['set-cookie', 'a=b']], body: 'done' }
    })
    const answers = await Promise.all(replicas.map(({ once }) => once(request, run)))
    for (const answer of answers) {
      expect(Buffer.from((answer as HandlerResponse).body as Uint8Array).toString()).toBe('done')
      expect((answer as HandlerResponse).headers).toContainEqual(['set-cookie', 'a=b'])
    }
    for (const [at, { once }] of replicas.entries()) {
      for (const cookie of ['session=bob', '']) {
        const others = { ...request, sender: testSender({ cookie }) }
        expect([at, await once(others, run)]).toEqual([at, 'other-credentials'])
      }
      const after = { ...request, sender: testSender({ cookie: 'session=alice; a=b' }) }
      expect(await once(after, run)).toMatchObject({ status: 200 })
    }
    expect(run).toHaveBeenCalledOnce()
  })
})
