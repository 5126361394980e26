import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createRedisCache } from '../../../../redis/src/redisCacheDriver.ts'
import {
  describeWithRedis,
  type RedisServer,
  startRedis,
} from '../../../../redis/src/testing/redisServer.ts'
import type { HandlerResponse } from '../../shared/response.ts'
import { createIdempotency, type IdempotentRequest } from './idempotency.ts'
import { testSender } from './testing/idempotentRequests.ts'

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

  test('run a request once, and both give its answer', async () => {
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
