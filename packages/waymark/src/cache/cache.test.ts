import { describe, expect, test, vi } from 'vitest'
import { createCache } from './cache.ts'
import { type CacheRead, type Computed, toEntry } from './cacheEntry.ts'
import { createMemoryDriver } from './memoryCacheDriver.ts'

type Times = Partial<Omit<Computed, 'value'>>

function computed(text: string, times: Times = {}): Computed {
  const value = new TextEncoder().encode(text)
  const never = { revalidateSeconds: null, expireSeconds: null }
  return { value, tags: [], ...never, isShared: true, ...times }
}

function textOf(read: CacheRead): [string, CacheRead['state']] {
  return [new TextDecoder().decode(read.value), read.state]
}

function setUp() {
  let nowMs = 1_000_000
  const now = () => nowMs
  const report = vi.fn()
  const started: Promise<unknown>[] = []
  const onStart = (work: Promise<unknown>) => void started.push(work)
  const cache = createCache({ memory: createMemoryDriver({ now }), report, now, onStart })
  let count = 0
  /** Reads a key from the cache. Each computation returns the next number. */
  const read = async (times: Times = {}, options = {}) =>
    textOf(await cache.read('k', async () => computed(`${++count}`, times), options))
  const pass = (seconds: number) => {
    nowMs += seconds * 1_000
  }
  return { cache, read, report, pass, started, failing }
}

const failing = async (): Promise<Computed> => {
  throw new Error('no source')
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

describe('the tags of a reader', () => {
  const reader = (...readerTags: string[]) => ({ readerTags })

  test('make older entries expire for this reader, and the new value is for everyone', async () => {
    const { cache, read } = setUp()
    await read()
    await cache.invalidate(['page:/a'], 'expired')
    expect(await read({}, reader('page:/b'))).toEqual(['1', 'fresh'])
    expect(await read({}, reader('page:/a', 'below:/'))).toEqual(['2', 'computed'])
    expect(await read({}, reader('page:/a'))).toEqual(['2', 'fresh'])
    expect(await read()).toEqual(['2', 'fresh'])
  })

  test('apply to a computation that the reader joins', async () => {
    const { cache } = setUp()
    const finish: ((value: Computed) => void)[] = []
    const slow = cache.read('k', () => new Promise((resolve) => void finish.push(resolve)))
    await settled()
    await cache.invalidate(['page:/a'], 'expired')
    const joined = cache.read('k', async () => computed('new'), reader('page:/a'))
    finish[0]?.(computed('old'))
    expect(textOf(await slow)).toEqual(['old', 'computed'])
    expect(textOf(await joined)).toEqual(['new', 'computed'])
  })

  test('apply even if they were invalidated before this process started', async () => {
    const driver = createMemoryDriver()
    driver.set('k', { ...toEntry(computed('old'), 1_000_000, 0) })
    driver.invalidate(['page:/a'], 'expired')
    const { cache, read } = setUp()
    cache.attach(driver)
    expect(await read({}, reader('page:/b'))).toEqual(['old', 'fresh'])
    expect(await read({}, reader('page:/a'))).toEqual(['1', 'computed'])
    expect(await read({}, reader('page:/b'))).toEqual(['1', 'fresh'])
  })
})

describe('a value', () => {
  test('is computed once, then returned synchronously', async () => {
    const { cache, read } = setUp()
    expect(await read()).toEqual(['1', 'computed'])
    expect(await read()).toEqual(['1', 'fresh'])
    expect(cache.read('k', failing)).not.toBeInstanceOf(Promise)
  })

  test('whose computation takes too long is computed again, also for those who wait', async () => {
    vi.useFakeTimers()
    try {
      const cache = createCache({ memory: createMemoryDriver(), report: vi.fn() })
      void cache.read('k', () => new Promise<never>(() => {}))
      await vi.advanceTimersByTimeAsync(10_000)
      const compute = vi.fn(async () => {
        await new Promise((resolve) => setTimeout(resolve, 10))
        return computed('second')
      })
      const reads = Promise.all([cache.read('k', compute), cache.read('k', compute)])
      await vi.advanceTimersByTimeAsync(20_010)
      expect((await reads).map((read) => textOf(read)[0])).toEqual(['second', 'second'])
      expect(compute).toHaveBeenCalledOnce()
    } finally {
      vi.useRealTimers()
    }
  })

  test('that is stale is served and refreshed once in the background', async () => {
    const { read, pass } = setUp()
    await read({ revalidateSeconds: 10 })
    pass(11)
    expect(await Promise.all([read(), read(), read()])).toEqual([
      ['1', 'stale'],
      ['1', 'stale'],
      ['1', 'stale'],
    ])
    await settled()
    expect(await read()).toEqual(['2', 'fresh'])
  })

  test('reports each computation to onStart, but not its errors', async () => {
    const { cache, read, pass, started } = setUp()
    await read({ revalidateSeconds: 10 })
    pass(11)
    await read()
    await read()
    await expect(cache.read('other', failing)).rejects.toThrow('no source')
    expect(started).toHaveLength(3)
    await Promise.all(started)
  })

  test('the work that onStart gets includes storing the result', async () => {
    const { cache, read, started } = setUp()
    const driver = createMemoryDriver()
    let isStored = false
    cache.attach({
      ...driver,
      invalidate: async () => {},
      async set() {
        await settled()
        isStored = true
      },
    })
    await read()
    expect(isStored).toBe(false)
    await Promise.all(started)
    expect(isStored).toBe(true)
  })

  test('that is stale is not returned to a reader that needs a fresh one', async () => {
    const { read, pass } = setUp()
    await read({ revalidateSeconds: 10 })
    pass(11)
    expect(await read({}, { acceptsStale: false })).toEqual(['2', 'computed'])
  })

  test('is never served after it has expired', async () => {
    const { cache, read, pass } = setUp()
    await read({ revalidateSeconds: 10, expireSeconds: 20 })
    pass(20)
    await expect(cache.read('k', failing)).rejects.toThrow('no source')
    expect(await read()).toEqual(['2', 'computed'])
  })

  test('that is not shared is returned only to its own reader', async () => {
    const { read } = setUp()
    const unshared = { isShared: false }
    const [first, ...others] = await Promise.all([read(unshared), read(unshared), read(unshared)])
    expect(new Set([first, ...others].map((each) => each?.[0])).size).toBe(3)
    expect(await read(unshared)).toEqual(['4', 'computed'])
  })

  test('with a long key differs from others with the same start', async () => {
    const { cache } = setUp()
    const key = 'x'.repeat(10_000_000)
    const read = async (end: string) =>
      textOf(await cache.read(key + end, async () => computed(end)))
    expect(await read('a')).toEqual(['a', 'computed'])
    expect(await read('b')).toEqual(['b', 'computed'])
    expect(await read('a')).toEqual(['a', 'fresh'])
  })
})

describe('a thousand readers at once', () => {
  test('cause one computation of a missing key', async () => {
    const { read } = setUp()
    const reads = await Promise.all(Array.from({ length: 1_000 }, () => read()))
    expect(new Set(reads.map(([text]) => text))).toEqual(new Set(['1']))
  })

  test('all get its error, which is not cached', async () => {
    const { cache, read } = setUp()
    const compute = vi.fn(failing)
    const reads = Array.from({ length: 1_000 }, async () => cache.read('k', compute))
    const outcomes = await Promise.allSettled(reads)
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(compute).toHaveBeenCalledOnce()
    expect(await read()).toEqual(['1', 'computed'])
  })
})

describe('a refresh that fails', () => {
  test('keeps the old value, is reported, and is retried after a pause', async () => {
    const { cache, read, report, pass } = setUp()
    await read({ revalidateSeconds: 10 })
    pass(11)
    const compute = vi.fn(failing)
    for (let at = 0; at < 10; at++) {
      expect(textOf(await cache.read('k', compute))).toEqual(['1', 'stale'])
      await settled()
    }
    expect(compute).toHaveBeenCalledOnce()
    expect(report).toHaveBeenCalledOnce()
    pass(1.1)
    await cache.read('k', compute)
    await settled()
    expect(compute).toHaveBeenCalledTimes(2)
    pass(1.1)
    await cache.read('k', compute)
    expect(compute).toHaveBeenCalledTimes(2)
    pass(1.1)
    await read()
    await settled()
    expect((await read())[1]).toBe('fresh')
  })

  test('returns the stale value even to a reader that needs a fresh one', async () => {
    const { cache, read, report, pass } = setUp()
    await read({ revalidateSeconds: 10 })
    pass(11)
    expect(textOf(await cache.read('k', failing, { acceptsStale: false }))).toEqual(['1', 'stale'])
    expect(report).toHaveBeenCalledOnce()
  })
})

describe('an invalidated tag', () => {
  test('makes values stale or expired', async () => {
    const { cache, read } = setUp()
    await read({ tags: ['t'] })
    await cache.invalidate(['t'], 'stale')
    expect(await read({ tags: ['t'] })).toEqual(['1', 'stale'])
    await settled()
    expect(await read()).toEqual(['2', 'fresh'])
    await cache.invalidate(['t'], 'expired')
    expect(await read()).toEqual(['3', 'computed'])
  })

  test('applies to a running computation, and later readers get a later value', async () => {
    const { cache } = setUp()
    let finish = () => {}
    const waiting = new Promise<void>((resolve) => {
      finish = resolve
    })
    const before = cache.read('k', async () => {
      await waiting
      return computed('old', { tags: ['t'] })
    })
    await settled()
    await cache.invalidate(['t'], 'expired')
    const later = cache.read('k', async () => computed('new', { tags: ['t'] }))
    finish()
    expect(textOf(await before)[0]).toBe('old')
    expect(textOf(await later)[0]).toBe('new')
    expect(textOf(await cache.read('k', failing))).toEqual(['new', 'fresh'])
  })
})

describe('a seeded value', () => {
  const built = { ...computed('built'), tags: ['t'], revalidateSeconds: 60 }

  test('keeps its age', async () => {
    const { cache } = setUp()
    await cache.seed('k', built, 990_000)
    expect(cache.peek('k')).toMatchObject({ storedAtMs: 990_000, revalidateAtMs: 1_050_000 })
    expect(cache.peek('other')).toBeNull()
  })

  test('does not replace an existing one', async () => {
    const { cache, read } = setUp()
    await read()
    await cache.seed('k', built, 990_000)
    expect(await read()).toEqual(['1', 'fresh'])
  })

  test('is affected by earlier invalidations', async () => {
    const { cache } = setUp()
    await cache.invalidate(['t'], 'expired')
    await cache.seed('k', built, 990_000)
    expect(cache.peek('k')).toBeNull()
  })
})

test('nothing is read from a driver while it is being notified of an invalidation', async () => {
  const { cache, read } = setUp()
  const driver = createMemoryDriver()
  let tell = () => {}
  cache.attach({
    ...driver,
    get: async (key) => driver.get(key),
    // The next reader arrives while the driver is still being notified.
    invalidate: async (tags, mode) => {
      await new Promise<void>((resolve) => {
        tell = resolve
      })
      driver.invalidate(tags, mode)
    },
  })
  expect(await read({ tags: ['t'] })).toEqual(['1', 'computed'])
  const invalidated = cache.invalidate(['t'], 'expired')
  const next = read({ tags: ['t'] })
  await settled()
  tell()
  await invalidated
  expect(await next).toEqual(['2', 'computed'])
})
