import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  alikeAt,
  digestAt,
  entryAt,
  journalDriverSuite,
  startMs,
} from '../../testing/src/drivers/journalDriverSuite.ts'
import { eventually } from '../../waymark/src/shared/testing/processes.ts'
import { createRedisJournal, type RedisJournalOptions } from './redisJournalDriver.ts'
import { type RedisCluster, startRedisCluster } from './testing/redisCluster.ts'
import { describeWithRedis, type RedisServer, startRedis } from './testing/redisServer.ts'

let server: RedisServer

function open(options: Partial<RedisJournalOptions> = {}) {
  const address = { urls: [server.url] as const, prefix: randomUUID() }
  return createRedisJournal({ address, now: () => startMs, batchMs: 1, ...options })
}

/** Starts a proxy for Redis that breaks the connection of a command once. @returns its URL */
async function breakAtCommand(command: string, occurrence: number): Promise<string> {
  let count = 0
  const proxy = createServer((client) => {
    const upstream = connect(Number(new URL(server.url).port), '127.0.0.1')
    client.on('data', (bytes) => {
      if (bytes.includes(command) && ++count === occurrence) client.destroy()
      else upstream.write(bytes)
    })
    upstream.pipe(client)
    for (const socket of [client, upstream]) socket.on('error', () => {})
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  return `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

describeWithRedis('a journal in Redis', () => {
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.stop())

  describe('a journal in Redis', () => journalDriverSuite(() => open(), { test, expect }))

  test('is shared by all replicas', async () => {
    const address = { urls: [server.url] as const, prefix: 'shared' }
    const one = await open({ address })
    const two = await open({ address })
    one.write(entryAt(1))
    await one.flush()
    expect(await two.find(digestAt(1))).toMatchObject({ kind: 'whole' })
    two.write(entryAt(2))
    await two.flush()
    expect(await one.list()).toHaveLength(2)
    await one.close()
    await two.close()
  })

  test('respects the limits of records and days', async () => {
    let now = startMs
    const driver = await open({ maxRecords: 10, maxDays: 2, now: () => now })
    for (let at = 0; at < 30; at++) driver.write(entryAt(at))
    expect(await driver.list({ limit: 100 })).toHaveLength(10)
    expect(await driver.find(digestAt(5))).toBeNull()
    now += 3 * 86_400_000
    driver.write(entryAt(3 * 86_400_000))
    driver.write(alikeAt(3 * 86_400_000 + 1, 3))
    expect(await driver.list({ limit: 100 })).toHaveLength(1)
    await driver.close()
  })

  test('keeps the server’s errors when browsers report endlessly', async () => {
    const driver = await open({ maxRecords: 10 })
    for (let at = 0; at < 5; at++) driver.write(entryAt(at))
    for (let at = 10; at < 30; at++) driver.write(entryAt(at, { phase: 'browser' }))
    for (let at = 40; at < 60; at++) driver.write(alikeAt(at, 1))
    for (let at = 0; at < 5; at++) {
      expect(await driver.find(digestAt(at))).toMatchObject({ kind: 'whole' })
    }
    expect(await driver.find(digestAt(59))).toMatchObject({ kind: 'alike' })
    expect(await driver.find(digestAt(29))).toBeNull()
    await driver.close()
  })

  test('reads each entry once, even if the connection breaks meanwhile', async () => {
    const prefix = randomUUID()
    const writer = await open({ address: { urls: [server.url], prefix } })
    for (let at = 0; at < 450; at++) writer.write(entryAt(at))
    await writer.flush()
    await writer.close()
    const url = await breakAtCommand('HMGET', 2)
    const reader = await open({ address: { urls: [url], prefix } })
    const groups = await reader.groups()
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(450)
    await reader.close()
  })

  test('loses nothing while Redis is unavailable for a moment, and reports it once', async () => {
    const redisServer = await startRedis()
    onTestFinished(() => redisServer.stop())
    const log = vi.fn()
    const address = { urls: [redisServer.url] as const, prefix: 'away' }
    const driver = await open({ address, log })
    await redisServer.kill()
    for (let at = 0; at < 5; at++) {
      driver.write(entryAt(at))
      await driver.flush()
    }
    expect(log.mock.calls.flat()).toEqual([
      expect.stringMatching(/^The journal can't be written: Redis at/),
    ])
    expect(await driver.list()).toHaveLength(5)
    await redisServer.start()
    await eventually(async () => {
      await driver.flush()
      expect(log).toHaveBeenCalledTimes(2)
    })
    const other = await open({ address })
    expect(await other.list()).toHaveLength(5)
    await other.close()
    await driver.close()
  })
})

describeWithRedis('a journal in a cluster', () => {
  let cluster: RedisCluster
  beforeAll(async () => {
    cluster = await startRedisCluster()
  }, 20_000)
  afterAll(() => cluster?.stop())

  describe('a journal in a cluster of three masters', () =>
    journalDriverSuite(() => open({ address: { urls: cluster.urls, prefix: randomUUID() } }), {
      test,
      expect,
    }))
})
