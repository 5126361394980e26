import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, test, vi } from 'vitest'
import { createCache } from '../../cache/cache.ts'
import { builtInLifetimes, createDependencyTracker, readLifetime } from '../../cache/cacheLife.ts'
import { createMemoryDriver } from '../../cache/memoryCacheDriver.ts'
import { dynamicValue } from '../request/dynamicValue.ts'
import { type CachedCall, findScope } from '../request/scope.ts'
import { scopeOf } from '../request/testing/scopeOf.ts'
import { cacheLife, cacheTag } from './cached.ts'
import { type Codec, createReadCached, type ReadCachedOptions } from './readCached.ts'

// Uses JSON instead of React, because these tests don't depend on how values are encoded.
const json = {
  async encode(run: () => unknown) {
    const result = await run()
    const hasClientReferences = result === 'a client component'
    return { bytes: new TextEncoder().encode(JSON.stringify(result)), hasClientReferences }
  },
  decode: async (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)) as unknown,
}

const codec: Codec = {
  ...json,
  encodeArguments: async (args) => ({
    ...json,
    key: JSON.stringify(args),
    restore: async () => args,
  }),
}

function setUp(options: Partial<ReadCachedOptions> = {}) {
  let nowMs = 1_000_000
  const now = () => nowMs
  const cache = createCache({ memory: createMemoryDriver({ now }), report: () => {}, now })
  const lifetimes = builtInLifetimes
  const readCached = createReadCached({ cache, buildId: 'b', codec, lifetimes, now, ...options })
  const page = createDependencyTracker()
  const call = (changes: Partial<CachedCall>) =>
    readCached(
      {
        id: 'f',
        outlivesBuild: false,
        run: () => 1,
        args: [],
        tags: [],
        lifetime: null,
        ...changes,
      },
      { life: page },
    )
  const pass = (seconds: number) => {
    nowMs += seconds * 1_000
  }
  return { cache, call, readCached, page, pass }
}

test("a cached function runs outside of any request's context", async () => {
  const user = new AsyncLocalStorage<string>()
  const { call, pass } = setUp()
  const run = vi.fn(() => user.getStore() ?? 'no user')
  const args = [new Date(0)]
  const lifetime = { revalidate: 10, expire: 1_000 }
  const read = () => call({ id: 'als', run, args, lifetime })
  expect(await user.run('zed', read)).toBe('no user')
  // The first request refreshed the result in the background.
  pass(20)
  expect(await user.run('other', read)).toBe('no user')
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(2))
  expect(await user.run('other', read)).toBe('no user')
})

test('a cached function that throws is explained once, and its error is unchanged', async () => {
  const onFailure = vi.fn()
  const { call } = setUp({ onFailure })
  const tenant = new AsyncLocalStorage<{ readonly name: string }>()
  const run = () => (tenant.getStore() as { readonly name: string }).name
  const read = () => tenant.run({ name: 'acme' }, () => call({ id: 'app/tenant.ts#name', run }))
  await expect(read()).rejects.toThrow(TypeError)
  await expect(read()).rejects.toThrow(TypeError)
  expect(onFailure).toHaveBeenCalledOnce()
  expect(onFailure).toHaveBeenCalledWith(expect.stringContaining('pass the value as an argument'))
})

test('after its path was revalidated, everything that a page read is computed again', async () => {
  const { cache, readCached } = setUp()
  const base = { outlivesBuild: false, args: [], tags: [], lifetime: null }
  const inner = vi.fn(() => 1)
  const outer = vi.fn(async () => {
    const scope = findScope()
    if (scope?.phase !== 'cache') throw new Error('not in a cached function')
    return readCached({ ...base, id: 'inner', run: inner }, scope)
  })
  const readOn = (...readerTags: string[]) =>
    readCached({ ...base, id: 'outer', run: outer }, { life: null, readerTags })
  await readOn('page:/a')
  await cache.invalidate(['page:/a'], 'expired')
  await readOn('page:/b')
  expect([outer.mock.calls.length, inner.mock.calls.length]).toEqual([1, 1])
  await readOn('page:/a')
  await readOn('page:/b')
  expect([outer.mock.calls.length, inner.mock.calls.length]).toEqual([2, 2])
})

describe('a call', () => {
  test.each([
    [['a'], ['b']],
    [['1'], [1]],
    [[0], [-0]],
    [[null], [undefined, 1]],
    [['a', 'b'], ['a","b']],
    [[2n], ['2n']],
    [[{ a: 1 }], [{ a: 2 }]],
    [[], [null]],
  ])('with other arguments has another key, %#', async (one, other) => {
    const { call } = setUp()
    const run = vi.fn(() => 1)
    await call({ run, args: one })
    await call({ run, args: other })
    expect(run).toHaveBeenCalledTimes(2)
    await call({ run, args: one })
    expect(run).toHaveBeenCalledTimes(2)
  })

  test('with a trailing undefined has the same key as without', async () => {
    const { call } = setUp()
    const run = vi.fn(() => 1)
    await call({ run, args: ['a'] })
    await call({ run, args: ['a', undefined] })
    expect(run).toHaveBeenCalledOnce()
  })

  test('of itself with the same arguments throws instead of hanging', async () => {
    const { readCached, call } = setUp()
    const circle = { id: 'f', outlivesBuild: false, args: [], tags: [], lifetime: null }
    const run = async (): Promise<unknown> => {
      const { findScope } = await import('../request/scope.ts')
      return readCached({ ...circle, run }, findScope() as never)
    }
    await expect(call({ run })).rejects.toThrow('CACHE_CIRCLE')
  })

  test('with a value of the request has another key than with null or without the value', async () => {
    const { call } = setUp()
    const run = (value: unknown) => (value === null ? 'null' : 'a promise')
    const searchParams = dynamicValue(scopeOf('render'), 'searchParams', () => ({}))
    const read = (...args: unknown[]) => call({ run: (first) => run(first), args: [...args, {}] })
    expect([await read(searchParams), await read(null)]).toEqual(['a promise', 'null'])
    const describe = ({ params }: { params?: unknown }) => typeof params
    const readNamed = (arg: object) => call({ id: 'g', run: describe as never, args: [arg] })
    expect([await readNamed({ a: 1, params: searchParams }), await readNamed({ a: 1 })]).toEqual([
      'object',
      'undefined',
    ])
  })

  test('of a name with a space has its own key', async () => {
    const { call } = setUp()
    const read = (id: string, arg: string) => call({ id, run: () => id, args: [arg] })
    expect([await read('a', 'b'), await read('a ("b")', 'b')]).toEqual(['a', 'a ("b")'])
  })

  test('with a key refuses to cache a client component', async () => {
    const { call } = setUp()
    const run = () => 'a client component'
    await expect(call({ run, outlivesBuild: true })).rejects.toThrow('CACHE_KEY_COMPONENT')
    expect(await call({ run })).toBe('a client component')
  })
})

describe('a lifetime', () => {
  test('is set by the function, and passed on to its reader', async () => {
    const { call, page } = setUp()
    await call({
      run: () => {
        cacheLife('minutes')
        cacheTag('own')
        return 1
      },
      tags: ['given'],
    })
    expect(page.revalidateSeconds).toBe(60)
    expect(page.expireSeconds).toBe(3_600)
    expect([...page.tags].sort()).toEqual(['given', 'own'])
  })

  test('is the shortest lifetime that was used if the function sets none', async () => {
    const { readCached, call, page } = setUp()
    const inner = { id: 'i', outlivesBuild: false, run: () => 1, args: [], tags: ['inner'] }
    await call({
      run: async () => {
        const { findScope } = await import('../request/scope.ts')
        await readCached(
          { ...inner, lifetime: { revalidate: 5, expire: 50 } },
          findScope() as never,
        )
        return 1
      },
    })
    expect(page.revalidateSeconds).toBe(5)
    expect(page.expireSeconds).toBe(50)
    expect([...page.tags]).toEqual(['inner'])
  })

  test('with an unknown name throws', async () => {
    const { call } = setUp()
    const run = () => cacheLife('fortnights')
    await expect(call({ run })).rejects.toThrow('CACHE_LIFETIME')
  })

  test.each([
    [{ revalidate: 60 }, { revalidate: 60, expire: null }],
    [{ expire: 60 }, { revalidate: null, expire: 60 }],
    [
      { revalidate: false, expire: Number.POSITIVE_INFINITY },
      { revalidate: null, expire: null },
    ],
    [{}, { revalidate: 900, expire: null }],
  ] as const)('of %j is %j', (lifetime, expected) => {
    expect(readLifetime(lifetime)).toEqual(expected)
  })

  test.each([[{ revalidate: 60, expire: 30 }], [{ revalidate: -1 }], [{ expire: Number.NaN }]])(
    'of %j is refused',
    (lifetime) => {
      expect(() => readLifetime(lifetime)).toThrow('CACHE_LIFETIME')
    },
  )
})

test('a cached result is not computed from a stale one', async () => {
  const { call, pass } = setUp()
  let count = 0
  const run = () => ++count
  await call({ run, lifetime: { revalidate: 10 } })
  pass(11)
  // The caller is a page that is being cached, so it doesn't accept a stale result.
  expect(await call({ run, lifetime: { revalidate: 10 } })).toBe(2)
})

test('cacheTag outside of a cached function is an error only within a request', () => {
  expect(() => cacheTag('t')).not.toThrow()
})

test('a hard reload computes results again if that is enabled, and logs it', async () => {
  const onHardReload = vi.fn()
  const { readCached } = setUp({ onHardReload })
  const run = vi.fn(() => 1)
  const call = { id: 'f', outlivesBuild: false, run, args: [], tags: [], lifetime: null }
  const reader = (control: string | null) => ({
    life: null,
    request: { headers: { get: () => control } },
  })
  await readCached(call, reader(null))
  await readCached(call, reader('max-age=0'))
  expect(run).toHaveBeenCalledOnce()
  await readCached(call, reader('no-cache'))
  expect(run).toHaveBeenCalledTimes(2)
  expect(onHardReload).toHaveBeenCalledOnce()
})
