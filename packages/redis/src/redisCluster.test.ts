import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { cacheDriverSuite, entryOf, entryText } from '../../testing/src/drivers/cacheDriverSuite.ts'
import type { CacheDriver } from '../../waymark/src/cache/cacheDriver.ts'
import { eventually } from '../../waymark/src/shared/testing/processes.ts'
import { createRedisCache } from './redisCacheDriver.ts'
import { createRedisClient } from './tcpClients.ts'
import { askRedis, type RedisCluster, startRedisCluster } from './testing/redisCluster.ts'
import { redisDrivers } from './testing/redisDrivers.ts'
import { describeWithRedis } from './testing/redisServer.ts'

let cluster: RedisCluster

const { openDriver, openTwo } = redisDrivers(() => ({ urls: cluster.urls }))

const keys = Array.from({ length: 60 }, (_, at) => `key ${at}`)

describeWithRedis('a cluster of three masters', () => {
  beforeAll(async () => {
    cluster = await startRedisCluster()
  }, 20_000)
  afterAll(() => cluster?.stop())

  describe('the Redis driver on a cluster', () =>
    cacheDriverSuite(() => openDriver(), { test, expect }))

  test('holds a share of the entries on each master', async () => {
    const {
      drivers: [one, two],
    } = await openTwo()
    for (const key of keys) await one.set(key, entryOf(key, { position: one.position() }))
    for (const key of keys) expect(entryText(await two.get(key))).toBe(key)
    for (const { url } of cluster.servers) {
      expect(await askRedis(url, ['DBSIZE'])).toBeGreaterThan(keys.length / 10)
    }
  })

  test('notifies all processes of an invalidation, whichever master they listen to', async () => {
    const prefix = randomUUID()
    const heard: unknown[] = []
    const log = vi.fn()
    const drivers = await Promise.all(
      Array.from({ length: 9 }, () => openDriver({ prefix, log, catchUpMs: 60_000 })),
    )
    for (const driver of drivers) driver.onInvalidated((invalidation) => heard.push(invalidation))
    await drivers[0]?.invalidate(['ä {b}'], 'expired')
    const expected = drivers.slice(1).map(() => ({ tags: ['ä {b}'], mode: 'expired' }))
    await eventually(() => expect(heard).toEqual(expected))
    expect(log).not.toHaveBeenCalled()
    for (const driver of drivers) await driver.close()
  })

  test('notifies within a second if the message is lost', async () => {
    const prefix = randomUUID()
    const driver = await openDriver({ prefix, catchUpMs: 100 })
    const heard: unknown[] = []
    driver.onInvalidated((invalidation) => heard.push(invalidation))
    // Write the log as the driver's script does, but without publishing a message.
    const next = String(driver.position() + 1)
    const { url } = await cluster.serverOf(`${prefix}:{log}:position`)
    await askRedis(url, ['ZADD', `${prefix}:{log}:stale`, next, 'lost'])
    await askRedis(url, ['SET', `${prefix}:{log}:position`, next])
    await eventually(() => expect(heard).toEqual([{ tags: ['lost'], mode: 'stale' }]))
    await driver.close()
  })

  test('leaves no connection open that was being opened when it was closed', async () => {
    const connections = async () => {
      const lists = await Promise.all(
        cluster.urls.map((url) => askRedis(url, ['CLIENT', 'LIST', 'TYPE', 'normal'])),
      )
      return lists.join('').split('\n').filter(Boolean).length
    }
    const before = await connections()
    for (const waitMs of [0, 1, 2, 4, 8, 16, 32]) {
      const client = await createRedisClient({ urls: cluster.urls, prefix: 'p' })
      const reaching = client.reach().catch(() => {})
      await sleep(waitMs)
      client.destroy()
      await reaching
    }
    await eventually(async () => expect(await connections()).toBe(before))
  })

  test('gets each command on the right server, and none for keys of two servers', async () => {
    for (const { url } of cluster.servers) {
      const errors = String(await askRedis(url, ['INFO', 'errorstats']))
      expect(errors.match(/errorstat_(?:MOVED|CROSSSLOT|ASK)\b.*/g)).toBeNull()
    }
  })
})

describeWithRedis('a cluster that loses a master', () => {
  // While a master is gone, the other masters refuse all commands if full coverage is required ("yes").
  // Otherwise ("no"), they still serve their own keys.
  test.concurrent.for([
    ['with the log', 'yes', 'comes back'],
    ['without the log', 'no', 'comes back'],
    ['with the log', 'yes', 'has a replica'],
  ] as const)(
    '%s is not used until it is complete again (full coverage: %s, the master %s)',
    { timeout: 90_000 },
    async ([which, fullCoverage, end], { onTestFinished }) => {
      const testCluster = await startRedisCluster({ fullCoverage })
      onTestFinished(() => testCluster.stop())
      const prefix = randomUUID()
      const open = (log = (_line: string) => {}) =>
        createRedisCache({ address: { urls: testCluster.urls, prefix }, log, catchUpMs: 100 })
      const log = vi.fn()
      const one = await open(log)
      const two = await open()
      const heard: unknown[] = []
      two.onInvalidated(({ tags }) => heard.push(tags))
      const ofLog = await testCluster.serverOf(`${prefix}:{log}:position`)
      const lost = testCluster.servers.find(
        (server) => (server === ofLog) === (which === 'with the log'),
      )
      if (end === 'has a replica') await testCluster.addReplica(ofLog)

      await lost?.kill()
      const using = use(one)
      await eventually(() => expect(log).toHaveBeenCalled())
      // Requests must not wait for the lost master.
      const before = using.count()
      await eventually(() => expect(using.count()).toBeGreaterThan(before + 20))
      await one.invalidate(['meanwhile'], 'expired')
      const rejoined = await open()
      if (end === 'comes back') await lost?.start()
      // Wait long, because the servers take an unknown time to agree, and a busy machine may lose a
      // server twice.
      await vi.waitFor(
        () => expect(log.mock.lastCall?.[0]).toMatch(/is available again\.$/),
        45_000,
      )
      await using.stop()
      const turns = log.mock.calls
        .flat()
        .map((line) => /is (unavailable: |available again\.$)/.exec(line)?.[1])
      expect(turns.join('')).toMatch(/^(unavailable: available again\.)+(unavailable: )?$/)
      await eventually(() => expect(heard).toContainEqual(['meanwhile']))
      for (const driver of [two, rejoined]) {
        await eventually(async () => {
          for (const key of keys) await one.set(key, entryOf(key, { position: one.position() }))
          for (const key of keys) expect(entryText(await driver.get(key))).toBe(key)
        })
      }
      await Promise.all([one, two, rejoined].map((driver) => driver.close()))
    },
  )
})

/** Uses a driver repeatedly until the returned `stop` is called. `stop` rejects if a use has thrown. */
function use(driver: CacheDriver) {
  let isOver = false
  let count = 0
  const running = (async () => {
    for (; !isOver; count++) {
      const key = keys[count % keys.length] ?? ''
      await driver.get(key)
      await driver.set(key, entryOf(key, { position: driver.position() }))
      await driver.lease(key, 1_000)
      await sleep(1)
    }
  })()
  running.catch(() => {})
  return {
    count: () => count,
    stop() {
      isOver = true
      return running
    },
  }
}
