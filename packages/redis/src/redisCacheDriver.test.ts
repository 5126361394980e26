import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { cacheDriverSuite, entryOf, entryText } from '../../testing/src/drivers/cacheDriverSuite.ts'
import { createCache } from '../../waymark/src/cache/cache.ts'
import type { CacheDriver } from '../../waymark/src/cache/cacheDriver.ts'
import { createMemoryDriver } from '../../waymark/src/cache/memoryCacheDriver.ts'
import {
  leaseInTwoProcesses,
  runTwoProcesses,
} from '../../waymark/src/cache/testing/twoProcesses.ts'
import { eventually } from '../../waymark/src/shared/testing/processes.ts'
import { createRedisCache } from './redisCacheDriver.ts'
import { redisDrivers } from './testing/redisDrivers.ts'
import { describeWithRedis, type RedisServer, startRedis } from './testing/redisServer.ts'

const program = new URL('./testing/storeProgram.ts', import.meta.url)

let server: RedisServer

const { openDriver, openTwo } = redisDrivers(() => ({ urls: [server.url] }))

describeWithRedis('Redis', () => {
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.stop())

  describe('the Redis driver', () => cacheDriverSuite(() => openDriver(), { test, expect }))

  describe('two processes', () => {
    test('see each other’s entries', async () => {
      const {
        drivers: [one, two],
      } = await openTwo()
      await one.set('k', entryOf('of one', { position: one.position() }))
      expect(entryText(await two.get('k'))).toBe('of one')
    })

    test('write and read the same keys at once, as real processes for a second', async () => {
      const prefix = randomUUID()
      const outDir = mkdtempSync(path.join(tmpdir(), 'waymark-program-'))
      onTestFinished(() => rmSync(outDir, { recursive: true, force: true }))
      const store = { program, address: `${server.url} ${prefix}`, outDir } as const
      const reports = await runTwoProcesses(store, { keys: 5, ms: 1_000 })
      for (const { reads, problems, lines } of reports) {
        expect([problems, lines]).toEqual([[], []])
        expect(reads.local).toBeGreaterThan(0)
        expect(reads.others).toBeGreaterThan(0)
      }
      const third = await openDriver({ prefix })
      onTestFinished(() => third.close())
      for (const key of [0, 1, 2, 3, 4]) {
        const [title] = String(entryText(await third.get(`k${key}`))).split('\n')
        expect(reports.map(({ last }) => last[key])).toContain(title)
      }
    }, 20_000)

    test('get each lease once, as real processes that lease the same names at once', async () => {
      const outDir = mkdtempSync(path.join(tmpdir(), 'waymark-program-'))
      onTestFinished(() => rmSync(outDir, { recursive: true, force: true }))
      const address = `${server.url} ${randomUUID()}`
      const got = await leaseInTwoProcesses({ program, address, outDir }, 1_000)
      expect(got.every((each) => each.length > 0)).toBe(true)
      expect(got.flat().length).toBe(new Set(got.flat()).size)
    }, 20_000)

    test('hold their leases while they live, and lose them when they die', async () => {
      const prefix = randomUUID()
      const open = async () => {
        const driver = await openDriver({ prefix, leaseMs: 900 })
        onTestFinished(() => driver.close())
        return driver
      }
      const one = await open()
      const two = await open()
      expect((await one.lease('held', 60_000)).kind).toBe('ours')
      // Set the key as a killed process leaves it, with an expiry that nobody renews.
      const client = await createClient({ url: server.url }).connect()
      onTestFinished(() => client.destroy())
      await client.set(`${prefix}:lease:left`, 'running:another', { PX: 900 })
      expect((await two.lease('left', 60_000)).kind).toBe('running')
      const isFree = async () => expect((await two.lease('left', 60_000)).kind).toBe('ours')
      await vi.waitFor(isFree, { timeout: 5_000 })
      await new Promise((resolve) => setTimeout(resolve, 400))
      expect((await two.lease('held', 60_000)).kind).toBe('running')
    })

    test('use two commands for a lease and its result', async () => {
      const driver = await openDriver()
      onTestFinished(() => driver.close())
      const client = await createClient({ url: server.url }).connect()
      onTestFinished(() => client.destroy())
      await client.sendCommand(['CONFIG', 'RESETSTAT'])
      const lease = await driver.lease('k', 60_000)
      if (lease.kind === 'ours') await lease.complete(Buffer.from('v'))
      const stats = await client.info('commandstats')
      expect(/cmdstat_set:calls=(\d+)/.exec(stats)?.[1]).toBe('2')
    })

    test('learn of each other’s invalidations at once', async () => {
      const {
        drivers: [one, two],
      } = await openTwo({ catchUpMs: 60_000 })
      const heard: unknown[] = []
      two.onInvalidated((invalidation) => heard.push(invalidation))
      await one.set('k', entryOf('v', { tags: ['t'], position: one.position() }))
      await one.invalidate(['t', 'ä {b}'], 'expired')
      await eventually(() => expect(heard).toEqual([{ tags: ['t', 'ä {b}'], mode: 'expired' }]))
      expect(await two.get('k')).toBeNull()
    })

    test('learn of an invalidation within a second if its message is lost', async () => {
      const {
        prefix,
        drivers: [one, two],
      } = await openTwo({ catchUpMs: 100 })
      const heard: unknown[] = []
      two.onInvalidated((invalidation) => heard.push(invalidation))
      // Use a client that writes the log as the driver's script does, but publishes no message.
      const client = await createClient({ url: server.url }).connect()
      onTestFinished(() => client.destroy())
      const next = String(one.position() + 1)
      await client.zAdd(`${prefix}:{log}:stale`, { score: Number(next), value: 'lost' })
      await client.set(`${prefix}:{log}:position`, next)
      await eventually(() => expect(heard).toEqual([{ tags: ['lost'], mode: 'stale' }]))
    })

    test('catch up at once after a pause, although the message is lost', async () => {
      const {
        prefix,
        drivers: [one, two],
      } = await openTwo({ catchUpMs: 60_000 })
      const listener = vi.fn()
      two.onInvalidated(listener)
      const client = createClient({ url: server.url })
      // Ignore errors, because the test also closes this client's connection.
      client.on('error', () => {})
      await client.connect()
      onTestFinished(() => client.destroy())
      const next = String(one.position() + 1)
      await client.zAdd(`${prefix}:{log}:expired`, { score: Number(next), value: 'lost' })
      await client.set(`${prefix}:{log}:position`, next)
      expect(two.isBehind?.()).toBe(false)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 130_000 })
      onTestFinished(() => void vi.useRealTimers())
      expect(two.isBehind?.()).toBe(true)
      // Close the connections, as Redis does for a frozen process.
      await server.closeConnections()
      await two.catchUp?.()
      expect(listener.mock.calls).toEqual([[{ tags: ['lost'], mode: 'expired' }]])
      expect(two.isBehind?.()).toBe(false)
    })

    test('trust no stored entry when the log is lost', async () => {
      const {
        prefix,
        drivers: [one],
      } = await openTwo({ catchUpMs: 50 })
      await one.set('k', entryOf('v', { position: one.position() }))
      const client = await createClient({ url: server.url }).connect()
      onTestFinished(() => client.destroy())
      await client.del([`${prefix}:{log}:position`])
      await eventually(async () => expect(await one.get('k')).toMatchObject({ revalidateAtMs: 0 }))
    })

    test('know earlier invalidations, even if one of them starts later', async () => {
      const prefix = randomUUID()
      const one = await openDriver({ prefix })
      const position = one.position()
      await one.invalidate(['t'], 'expired')
      await one.set('k', entryOf('old', { tags: ['t'], position }))
      const two = await openDriver({ prefix })
      expect(await two.get('k')).toBeNull()
      await one.close()
      await two.close()
    })

    test('compute a key once for a thousand readers in each', async () => {
      const { drivers } = await openTwo()
      const compute = vi.fn(async () => {
        await new Promise((resolve) => setTimeout(resolve, 50))
        const value = new TextEncoder().encode('once')
        return { value, tags: [], revalidateSeconds: null, expireSeconds: null, isShared: true }
      })
      const caches = drivers.map((driver) => {
        const cache = createCache({ memory: createMemoryDriver(), report: () => {} })
        cache.attach(driver)
        return cache
      })
      const reads = Array.from({ length: 2_000 }, async (_, at) =>
        caches[at % 2]?.read('k', compute),
      )
      const values = (await Promise.all(reads)).map((read) => read && entryText(read))
      expect(new Set(values)).toEqual(new Set(['once']))
      expect(compute).toHaveBeenCalledOnce()
    })
  })

  test('a lease of a dead process ends after the given time', async () => {
    const {
      drivers: [one, two],
    } = await openTwo()
    await one.lease('k', 60_000, 1_000)
    await one.close()
    expect((await two.lease('k', 60_000, 1_000)).kind).toBe('running')
    await eventually(async () => expect((await two.lease('k', 60_000, 1_000)).kind).toBe('ours'))
  })

  test.each([
    ['of another version', Buffer.from('WMC9 and more than a head')],
    ['that were cut off', Buffer.from('WMC1')],
    ['of another program', Buffer.from('hello')],
    ['that are empty', Buffer.alloc(0)],
  ])('bytes %s are dropped, and the log says so', async (_, bytes) => {
    const log = vi.fn()
    const prefix = randomUUID()
    const driver = await openDriver({ prefix, log })
    const client = await createClient({ url: server.url }).connect()
    await client.set(`${prefix}:entry:k`, bytes)
    expect(await driver.get('k')).toBeNull()
    expect(log.mock.calls.flat()).toEqual([expect.stringContaining("can't be read")])
    await eventually(async () => expect(await client.exists(`${prefix}:entry:k`)).toBe(0))
    client.destroy()
    await driver.close()
  })
})

describeWithRedis('Redis in trouble', () => {
  const address = (url: string) => ({ urls: [url] as const, prefix: 'trouble' })
  const awayLines = (log: ReturnType<typeof vi.fn>) => log.mock.calls.map(([line]) => String(line))

  test('can be unavailable, and is used again once it is available', async () => {
    const redisServer = await startRedis()
    onTestFinished(() => redisServer.stop())
    const log = vi.fn()
    const driver = await createRedisCache({ address: address(redisServer.url), log })
    await driver.set('k', entryOf('before', { position: driver.position() }))
    await redisServer.kill()
    for (let at = 0; at < 50; at++) {
      expect(await driver.get('k')).toBeNull()
      await driver.set('k', entryOf('meanwhile'))
      await driver.invalidate([`t${at}`], 'stale')
      expect((await driver.lease('k', 1_000)).kind).toBe('ours')
    }
    expect(awayLines(log)).toEqual([expect.stringMatching(/^Redis at 127.*is unavailable: /)])
    await redisServer.start()
    await eventually(() => expect(awayLines(log)).toHaveLength(2))
    expect(awayLines(log)[1]).toMatch(/is available again\.$/)
    const later = await createRedisCache({ address: address(redisServer.url), log })
    await driver.set('k', entryOf('t0', { tags: ['t0'], position: driver.position() }))
    expect(entryText(await later.get('k'))).toBe('t0')
    await later.set('old', entryOf('old', { tags: ['t7'], position: 1 }))
    expect(await later.get('old')).toMatchObject({ revalidateAtMs: 0 })
    await later.close()
    await driver.close()
  })

  test('stores a limited amount and keeps recently used entries', async () => {
    const redisServer = await startRedis()
    onTestFinished(() => redisServer.stop())
    const options = { address: address(redisServer.url), maxBytes: 400_000 }
    const drivers = [await createRedisCache(options), await createRedisCache(options)]
    const [driver, other] = drivers as [CacheDriver, CacheDriver]
    const client = await createClient({ url: redisServer.url }).connect()
    onTestFinished(() => client.destroy())
    const entry = entryOf('x'.repeat(2_000), { position: driver.position() })
    await driver.set('read', entry)
    await driver.set('forgotten', entry)
    for (let at = 0; at < 1_000; at++) {
      await (at % 2 ? driver : other).set(`made-up-${at}`, entry)
      expect(await driver.get('read')).not.toBeNull()
    }
    expect(await driver.get('forgotten')).toBeNull()
    expect(await driver.get('made-up-0')).toBeNull()
    expect(await driver.get('made-up-999')).not.toBeNull()
    const entries = await client.keys('*:entry:*')
    expect(entries.length).toBeLessThanOrEqual(400_000 / 2_400)
    expect(entries.length).toBeGreaterThan(100)
    // Write one entry many times, because it must count only once.
    for (let at = 0; at < 300; at++) await driver.set('read', entry)
    expect(await driver.get('made-up-990')).not.toBeNull()
    await driver.set('huge', entryOf('x'.repeat(100_000), { position: driver.position() }))
    expect(await driver.get('huge')).toBeNull()
    for (const each of drivers) await each.close()
  })

  test('can be unavailable from the start', async () => {
    const log = vi.fn()
    const started = Date.now()
    const driver = await createRedisCache({ address: address('redis://127.0.0.1:1'), log })
    expect(await driver.get('k')).toBeNull()
    expect(Date.now() - started).toBeLessThan(3_000)
    expect(log).toHaveBeenCalledOnce()
    await driver.close()
  })

  test('blocks nobody when it hangs', async () => {
    const redisServer = await startRedis()
    onTestFinished(() => redisServer.stop())
    const log = vi.fn()
    const driver = await createRedisCache({
      address: address(redisServer.url),
      log,
      timeoutMs: 200,
    })
    redisServer.pause()
    const started = Date.now()
    await Promise.all(Array.from({ length: 100 }, () => driver.get('k')))
    for (let at = 0; at < 100; at++) await driver.get('k')
    expect(Date.now() - started).toBeLessThan(2_000)
    redisServer.resume()
    await eventually(() => expect(awayLines(log).at(-1)).toMatch(/is available again\.$/))
    await driver.close()
  })

  test('gets an invalidation later if it refused the command', async () => {
    const redisServer = await startRedis()
    onTestFinished(() => redisServer.stop())
    const log = vi.fn()
    const options = { address: address(redisServer.url), catchUpMs: 50 }
    const one = await createRedisCache({ ...options, log })
    const two = await createRedisCache({ ...options, log: () => {} })
    const heard: unknown[] = []
    two.onInvalidated(({ tags }) => heard.push(tags))
    const client = await createClient({ url: redisServer.url }).connect()
    onTestFinished(() => client.destroy())
    await client.configSet('maxmemory', '1')
    await one.invalidate(['t'], 'stale')
    await one.invalidate(['t'], 'stale')
    expect(awayLines(log)).toEqual([expect.stringMatching(/refused a command: OOM/)])
    expect(heard).toEqual([])
    await client.configSet('maxmemory', '0')
    await eventually(() => expect(heard).toEqual([['t']]))
    await one.close()
    await two.close()
  })
})
