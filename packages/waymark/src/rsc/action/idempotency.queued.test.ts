import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { RedisAddress } from '../../../../redis/src/redisAddress.ts'
import { createRedisCache } from '../../../../redis/src/redisCacheDriver.ts'
import {
  gatewayToken,
  type HttpGateway,
  startHttpGateway,
} from '../../../../redis/src/testing/httpGateway.ts'
import { type RedisServer, startRedis } from '../../../../redis/src/testing/redisServer.ts'
import type { CacheDriver } from '../../cache/cacheDriver.ts'
import { createFilesDriver } from '../../cache/files/fileCacheDriver.ts'
import { createMemoryDriver } from '../../cache/memoryCacheDriver.ts'
import { withStoreDeadlines } from '../../cache/storeDeadlines.ts'
import type { HandlerResponse } from '../../http/response.ts'
import { createBodyQueue } from '../../http/stream.ts'
import { temporaryFolder } from '../../shared/testing/temporaryFolder.ts'
import { createIdempotency, type Idempotency, type IdempotentRequest } from './idempotency.ts'
import { from, bounds as small, testSender, whole } from './testing/idempotentRequests.ts'

const dayMs = 24 * 3_600_000
const bounds = { ...small, ttlMs: 300, markTtlMs: 8 * dayMs }
const leaseMs = 300
const queued: IdempotentRequest = { ...from({ cookie: 'session=alice' }), isQueued: true }
const sentBy = (cookie: string) => ({ ...queued, sender: testSender({ cookie }) })

let redis: RedisServer
let gateway: HttpGateway
beforeAll(async () => {
  redis = await startRedis()
  gateway = await startHttpGateway(redis.url)
})
afterAll(async () => {
  await gateway.stop()
  await redis.stop()
})

/** A store for which several drivers can be opened, because each process opens its own driver. */
type Store = { open(): CacheDriver | Promise<CacheDriver> }

const stores: Readonly<Record<string, () => Store>> = {
  memory: () => {
    const driver = createMemoryDriver()
    return { open: () => ({ ...driver, close: async () => {} }) }
  },
  files: () => {
    const folder = temporaryFolder()
    return { open: () => createFilesDriver({ folder, leaseMs, log: vi.fn() }) }
  },
  Redis: () => {
    const address: RedisAddress = { urls: [redis.url], prefix: randomUUID() }
    return { open: () => createRedisCache({ address, leaseMs, timeoutMs: 2_000 }) }
  },
  'Redis over HTTP': () => {
    const address = { urls: [gateway.url] as const, token: gatewayToken, prefix: randomUUID() }
    return { open: () => createRedisCache({ address, leaseMs, timeoutMs: 2_000 }) }
  },
}

async function startProcess(store: Store, { ttlMs } = bounds) {
  const driver = withStoreDeadlines(await store.open(), vi.fn())
  const idempotency = createIdempotency({ bounds: { ...bounds, ttlMs } })
  idempotency.attach(driver)
  let isOpen = true
  const end = async () => {
    if (isOpen) await driver.close()
    isOpen = false
  }
  onTestFinished(end)
  return { ...idempotency, driver, end }
}

/** Creates an action that has an effect before it creates its response. */
const running = (respond: () => HandlerResponse | Promise<HandlerResponse> = () => whole('done')) =>
  vi.fn<Parameters<Idempotency['once']>[1]>(async (onRan) => {
    await onRan()
    return respond()
  })

describe.each(Object.entries(stores))('a queued call, with a store in %s', (name, createStore) => {
  test('gets the stored response from another process, and later the fact that it ran', async () => {
    const store = createStore()
    const one = await startProcess(store)
    const two = await startProcess(store)
    const run = running()
    await one.once(queued, run)
    const { body } = (await two.once(queued, run)) as HandlerResponse
    expect(Buffer.from(body as Uint8Array).toString()).toBe('done')
    await sleep(bounds.ttlMs + 50)
    for (const each of [one, two]) expect(await each.once(queued, run)).toBe('response-gone')
    await Promise.all([one.end(), two.end()])
    const later = await startProcess(store)
    expect(await later.once(queued, run)).toBe('response-gone')
    expect(await later.once({ ...queued, bodyHash: 'other' }, run)).toBe('key-reused')
    expect(run).toHaveBeenCalledOnce()
  })

  test('does not match an ordinary call or one with another key', async () => {
    const store = createStore()
    const run = running()
    const ordinary = { ...queued, isQueued: false }
    await (await startProcess(store)).once(ordinary, run)
    await sleep(bounds.ttlMs + 50)
    const later = await startProcess(store)
    await later.once(ordinary, run)
    await later.once({ ...queued, key: 'l'.repeat(16) }, run)
    expect(run).toHaveBeenCalledTimes(3)
  })

  test('shows nothing to others, and nothing to its sender with an outdated session', async () => {
    const store = createStore()
    const one = await startProcess(store)
    const run = running(() => ({ ...whole('of Alice'), headers: [['set-cookie', 'session=a2']] }))
    const renewing = testSender({ cookie: 'session=alice', setCookies: ['session=a2'] })
    await one.once({ ...queued, sender: renewing }, run)
    const later = await startProcess(store)
    const repeat = async (cookie: string) => {
      const outcomes = [await one.once(sentBy(cookie), run), await later.once(sentBy(cookie), run)]
      return outcomes.map((each) => (typeof each === 'string' ? each : each.status))
    }
    for (const other of ['', 'session=bob', 'session=a3']) {
      expect(await repeat(other)).toEqual(['other-credentials', 'other-credentials'])
    }
    await sleep(bounds.ttlMs + 50)
    for (const other of ['', 'session=bob', 'session=a3']) {
      expect(await repeat(other)).toEqual(['other-credentials', 'other-credentials'])
    }
    for (const cookie of ['session=alice', 'session=a2']) {
      expect(await repeat(cookie)).toEqual(['response-gone', 'response-gone'])
    }
    expect(run).toHaveBeenCalledOnce()
  })

  test('counts as run although its process was killed before the response was complete', async () => {
    const store = createStore()
    const one = await startProcess(store)
    const run = running(() => ({ ...whole(''), body: createBodyQueue().body(() => {}) }))
    await one.once(queued, run)
    await one.end()
    expect(await (await startProcess(store)).once(queued, run)).toBe('response-gone')
    expect(run).toHaveBeenCalledOnce()
  })

  test('counts as run although no response could be created', async () => {
    const store = createStore()
    const one = await startProcess(store)
    const run = running(() => Promise.reject(new Error('The page can not be rendered.')))
    await expect(one.once(queued, run)).rejects.toThrow('rendered')
    const later = await startProcess(store)
    for (const each of [one, later]) expect(await each.once(queued, run)).toBe('response-gone')
    expect(run).toHaveBeenCalledOnce()
  })

  // The memory driver never finds out that a process has ended, so the leases of that process stay.
  const isMissed = name !== 'memory'
  test.runIf(isMissed)('runs again if its process ended before it had run', async () => {
    const store = createStore()
    const one = await startProcess(store)
    const hanging = vi.fn(() => new Promise<HandlerResponse>(() => {}))
    void one.once(queued, hanging)
    await vi.waitFor(() => expect(hanging).toHaveBeenCalled())
    await one.end()
    const run = running()
    // Store the response for so long that both repeats find it, no matter how late they are.
    const lasting = { ...bounds, ttlMs: 20_000 }
    const later = [await startProcess(store, lasting), await startProcess(store, lasting)]
    const repeats = await Promise.all(later.map((each) => each.once(queued, run)))
    expect(repeats.map((each) => (each as HandlerResponse).status)).toEqual([200, 200])
    expect(run).toHaveBeenCalledOnce()
  })

  test('did not run if this build could not read it, and may be tried again', async () => {
    const store = createStore()
    const one = await startProcess(store)
    await one.once(queued, async () => ({ ...whole('stale'), status: 409 }))
    const run = running()
    expect(await (await startProcess(store)).once(queued, run)).toMatchObject({ status: 200 })
    expect(run).toHaveBeenCalledOnce()
  })

  test('with invalid input occupies the store no longer than its response', async () => {
    const store = createStore()
    const one = await startProcess(store)
    const run = vi.fn(async () => ({ ...whole('invalid'), status: 422 }))
    await one.once(queued, run)
    await sleep(bounds.ttlMs + 50)
    for (const each of [one, await startProcess(store)]) {
      expect(await each.once(queued, run)).toMatchObject({ status: 422 })
      await sleep(bounds.ttlMs + 50)
    }
    expect(run).toHaveBeenCalledTimes(3)
  })
})

describe('the mark of a queued call', () => {
  test.each(['memory', 'files'])('lasts 8 days, in %s', async (name) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const store = (stores[name] as () => Store)()
    const run = running()
    await (await startProcess(store)).once(queued, run)
    const startedAtMs = Date.now()
    for (const hours of [1, 24, 7 * 24, 8 * 24 - 1]) {
      vi.setSystemTime(startedAtMs + hours * 3_600_000)
      const later = await startProcess(store)
      // Wait for the sweep that each process does when it starts.
      await sleep(leaseMs / 2)
      expect([hours, await later.once(queued, run)]).toEqual([hours, 'response-gone'])
      await later.end()
    }
    expect(run).toHaveBeenCalledOnce()
    vi.setSystemTime(startedAtMs + bounds.markTtlMs + 1_000)
    expect(await (await startProcess(store)).once(queued, run)).toMatchObject({ status: 200 })
  })

  test('lasts 8 days, in Redis', async () => {
    const address: RedisAddress = { urls: [redis.url], prefix: randomUUID() }
    const process = await startProcess({ open: () => createRedisCache({ address }) })
    const run = running()
    await process.once(queued, run)
    const client = createClient({ url: redis.url })
    await client.connect()
    onTestFinished(() => client.destroy())
    const lifetimes = async () => {
      const keys = await client.keys(`${address.prefix}:lease:*`)
      return (await Promise.all(keys.map((key) => client.pTTL(key)))).sort((a, b) => a - b)
    }
    await expect.poll(async () => (await lifetimes()).length).toBe(2)
    const [response = 0, mark = 0] = await lifetimes()
    expect(response).toBeLessThanOrEqual(bounds.ttlMs)
    expect(mark).toBeGreaterThan(bounds.markTtlMs - 60_000)
    expect(mark).toBeLessThanOrEqual(bounds.markTtlMs)
  })

  test('lasts 8 days in the memory of a process if its store fails', async () => {
    let nowMs = 0
    const { once, attach } = createIdempotency({ bounds, now: () => nowMs })
    attach({ lease: () => Promise.reject(new Error('away')) })
    const run = running()
    await once(queued, run)
    nowMs = bounds.markTtlMs - 1
    expect(await once(queued, run)).toBe('response-gone')
    nowMs = bounds.markTtlMs
    await once(queued, run)
    expect(run).toHaveBeenCalledTimes(2)
  })

  test('is stored before anything is sent', async () => {
    const store = createMemoryDriver()
    const { once, attach } = createIdempotency({ bounds })
    let letStore = () => {}
    const isStored = new Promise<void>((resolve) => {
      letStore = resolve
    })
    attach({
      async lease(key, ttlMs) {
        const lease = await store.lease(key, ttlMs)
        return lease.kind === 'ours' ? { ...lease, complete: () => isStored } : lease
      },
    })
    const responded = vi.fn()
    void once(queued, running()).then(responded)
    await sleep(30)
    expect(responded).not.toHaveBeenCalled()
    letStore()
    await vi.waitFor(() => expect(responded).toHaveBeenCalled())
  })
})
