import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createCache } from './cache.ts'
import type { CacheDriver, Lease } from './cacheDriver.ts'
import { createMemoryDriver } from './memoryCacheDriver.ts'
import { pauseMs, storeWithinMs, withStoreDeadlines } from './storeDeadlines.ts'

const never = () => new Promise<never>(() => {})

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function create(methods: Partial<CacheDriver> = {}) {
  const log = vi.fn<(line: string) => void>()
  const hanging: CacheDriver = {
    get: vi.fn(never),
    set: vi.fn(never),
    delete: vi.fn(never),
    invalidate: vi.fn(never),
    lease: vi.fn(never),
    position: () => 7,
    onInvalidated: () => () => {},
    close: never,
    ...methods,
  }
  return { hanging, log, driver: withStoreDeadlines(hanging, log) }
}

const entry = {
  value: new Uint8Array([1]),
  tags: [],
  storedAtMs: 0,
  revalidateAtMs: null,
  expireAtMs: null,
  position: 0,
}

/** Returns the result of a call after the deadline has passed. */
async function afterDeadline<T>(call: T | Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(storeWithinMs)
  return call
}

describe('a store that hangs', () => {
  test('counts as empty, and writes resolve', async () => {
    expect(await afterDeadline(create().driver.get('k'))).toBeNull()
    expect(await afterDeadline(create().driver.set('k', entry))).toBeUndefined()
    expect(await afterDeadline(create().driver.delete('k'))).toBeUndefined()
    expect(await afterDeadline(create().driver.invalidate(['t'], 'expired'))).toBeUndefined()
  })

  test('gives each process its own lease', async () => {
    const lease = await afterDeadline(create().driver.lease('k', 1_000))
    expect(lease.kind).toBe('ours')
  })

  test('is skipped for a while, but still written to', async () => {
    const { driver, hanging, log } = create()
    await afterDeadline(driver.get('k'))
    expect(driver.get('other')).toBeNull()
    expect((await driver.lease('k', 1_000)).kind).toBe('ours')
    expect(driver.get('another')).toBeNull()
    // The second read doesn't reach the store, because only one probe runs at a time.
    expect(hanging.get).toHaveBeenCalledTimes(2)
    expect(hanging.lease).not.toHaveBeenCalled()
    await afterDeadline(driver.invalidate(['t'], 'expired'))
    expect(hanging.invalidate).toHaveBeenCalledWith(['t'], 'expired')
    expect(log.mock.calls).toEqual([[expect.stringContaining("didn't respond within 3 s")]])
    await vi.advanceTimersByTimeAsync(pauseMs)
    void driver.get('k')
    expect(hanging.get).toHaveBeenCalledTimes(3)
  })

  test('is used again as soon as it responds', async () => {
    let isBack = false
    const { driver } = create({ get: () => (isBack ? Promise.resolve(entry) : never()) })
    await afterDeadline(driver.get('k'))
    isBack = true
    expect(driver.get('k')).toBeNull()
    await vi.advanceTimersByTimeAsync(0)
    expect(await driver.get('k')).toEqual(entry)
  })

  test('does not hold up readers of the cache', async () => {
    const memory = createMemoryDriver({ maxBytes: 1_000_000 })
    const cache = createCache({ memory, report: () => {} })
    cache.attach(create().driver)
    const computed = { value: new Uint8Array([2]), tags: [], isShared: true }
    const life = { revalidateSeconds: null, expireSeconds: null }
    const read = cache.read('k', async () => ({ ...computed, ...life }))
    await vi.advanceTimersByTimeAsync(storeWithinMs)
    expect((await read).value).toEqual(new Uint8Array([2]))
  })

  test('gets a lease back that arrives too late', async () => {
    const release = vi.fn(async () => {})
    let give: (lease: Lease) => void = () => {}
    const leasing = new Promise<Lease>((resolve) => {
      give = resolve
    })
    const { driver } = create({ lease: () => leasing })
    await afterDeadline(driver.lease('k', 1_000))
    give({ kind: 'ours', complete: async () => {}, release })
    await vi.advanceTimersByTimeAsync(0)
    expect(release).toHaveBeenCalledOnce()
  })

  test('does not hold up the release of a lease', async () => {
    const lease: Lease = { kind: 'ours', complete: never, release: never }
    const leased = await create({ lease: async () => lease }).driver.lease('k', 1_000)
    if (leased.kind !== 'ours') throw new Error('It is leased.')
    expect(await afterDeadline(leased.release())).toBeUndefined()
    expect(await afterDeadline(leased.complete(new Uint8Array()))).toBeUndefined()
  })
})

describe('a store that works', () => {
  test('behaves the same with deadlines', async () => {
    const memory = createMemoryDriver({ maxBytes: 1_000_000 })
    const running: Lease = { kind: 'running' }
    const lease = async () => running
    const works = { get: memory.get, set: memory.set, delete: memory.delete, lease }
    const { driver, log } = create(works)
    await driver.set('k', entry)
    expect(await driver.get('k')).toEqual(entry)
    await driver.delete('k')
    expect(await driver.get('k')).toBeNull()
    expect(await driver.lease('k', 1_000)).toBe(running)
    expect(driver.position()).toBe(7)
    expect(log).not.toHaveBeenCalled()
  })

  test('passes freshnessByTags on if it has the method', () => {
    const { driver } = create({
      freshnessByTags: ({ position }) => (position ? 'fresh' : 'expired'),
    })
    expect(driver.freshnessByTags?.({ tags: ['t'], position: 0 })).toBe('expired')
    expect(create().driver.freshnessByTags).toBeUndefined()
  })
})

const refuse = async (): Promise<never> => {
  throw new Error('down')
}
const throwAtOnce = (): never => {
  throw new Error('down')
}

// A driver's methods must never throw or reject, but an app's own driver may do so nevertheless.
describe.each([
  ['rejects', refuse],
  ['throws', throwAtOnce],
])('a store that %s', (_, fail) => {
  const failing = {
    get: fail,
    set: fail,
    delete: fail,
    invalidate: fail,
    lease: fail,
    catchUp: fail,
    close: fail,
    position: throwAtOnce,
    freshnessByTags: throwAtOnce,
    isBehind: throwAtOnce,
  }

  test('counts as empty', async () => {
    const { driver } = create(failing)
    expect(await driver.get('k')).toBeNull()
    expect(await driver.set('k', entry)).toBeUndefined()
    expect(await driver.delete('k')).toBeUndefined()
    expect(await driver.invalidate(['t'], 'expired')).toBeUndefined()
    expect((await driver.lease('k', 1_000)).kind).toBe('ours')
    expect(await driver.close()).toBeUndefined()
  })

  test('makes entries older than every invalidation', () => {
    const { driver } = create(failing)
    expect(driver.position()).toBe(0)
    expect(driver.freshnessByTags?.({ tags: ['t'], position: 7 })).toBe('expired')
  })

  test('counts as behind, but does not hold up requests that wait for catchUp()', async () => {
    const { driver } = create(failing)
    expect(driver.isBehind?.()).toBe(true)
    expect(await driver.catchUp?.()).toBeUndefined()
  })

  test('is logged once per pause', async () => {
    const { driver, log } = create(failing)
    for (let count = 0; count < 3; count++) await driver.get('k')
    await vi.advanceTimersByTimeAsync(pauseMs)
    await driver.get('k')
    const line = expect.stringContaining('driver failed: down')
    expect(log.mock.calls).toEqual([[line], [line]])
  })

  test('does not break readers of the cache', async () => {
    const cache = createCache({ memory: createMemoryDriver(), report: () => {} })
    cache.attach(create(failing).driver)
    const computed = { value: new Uint8Array([2]), tags: [], isShared: true }
    const life = { revalidateSeconds: null, expireSeconds: null }
    const read = await cache.read('k', async () => ({ ...computed, ...life }))
    expect(read.value).toEqual(new Uint8Array([2]))
    expect(cache.isBehind()).toBe(true)
    expect(await cache.catchUp()).toBeUndefined()
  })
})

test('releasing or completing a lease never throws, even if the store fails meanwhile', async () => {
  const lease: Lease = { kind: 'ours', complete: refuse, release: refuse, withdraw: refuse }
  const leased = await create({ lease: async () => lease }).driver.lease('k', 1_000)
  if (leased.kind !== 'ours') throw new Error('It is leased.')
  expect(await leased.complete(new Uint8Array())).toBeUndefined()
  expect(await leased.withdraw?.()).toBeUndefined()
  expect(await leased.release()).toBeUndefined()
})

test('a store that hangs in catchUp() holds up one request but no later ones', async () => {
  const catchUp = vi.fn(never)
  const { driver } = create({ catchUp, isBehind: () => true })
  expect(await afterDeadline(driver.catchUp?.())).toBeUndefined()
  expect(await driver.catchUp?.()).toBeUndefined()
  expect(catchUp).toHaveBeenCalledOnce()
})

test('a driver that cannot listen for invalidations does not start', () => {
  const { driver } = create({
    onInvalidated() {
      throw new Error('no connection')
    },
  })
  const cache = createCache({ memory: createMemoryDriver(), report: () => {} })
  expect(() => cache.attach(driver)).toThrow('no connection')
})

test('is closed after its writes have ended, however they were started', async () => {
  const events: string[] = []
  const slowly = (name: string) => async () => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    events.push(name)
  }
  const lease = {
    kind: 'ours',
    complete: slowly('complete'),
    release: slowly('release'),
    withdraw: slowly('withdraw'),
  } as const
  const { driver } = create({
    lease: async () => lease,
    set: slowly('set'),
    delete: slowly('delete'),
    invalidate: slowly('invalidate'),
    close: async () => void events.push('close'),
  })
  const leased = await driver.lease('k', 1_000)
  if (leased.kind !== 'ours') throw new Error('The lease is free.')
  void driver.set('k', entry)
  void driver.delete('k')
  void driver.invalidate(['t'], 'expired')
  void leased.complete(new Uint8Array())
  void leased.release()
  void leased.withdraw?.()
  const closing = driver.close()
  await vi.advanceTimersByTimeAsync(100)
  await closing
  const writes = ['set', 'delete', 'invalidate', 'complete', 'release', 'withdraw']
  expect(events).toEqual([...writes, 'close'])
})

test('is closed although a write hangs', async () => {
  const close = vi.fn(async () => {})
  const { driver } = create({ close })
  void driver.set('k', entry)
  await afterDeadline(driver.close())
  expect(close).toHaveBeenCalledOnce()
})
