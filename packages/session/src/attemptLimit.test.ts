import { describe, expect, test } from 'vitest'
import { createMemoryDriver } from '../../waymark/src/cache/memoryCacheDriver.ts'
import { type AttemptLimitOptions, createAttemptLimitOn } from './attemptLimit.ts'
import { createTestApp } from './testing/testBrowser.ts'

const options = { name: 'sign-in', perKey: 3, perAddress: 5, seconds: 60 }

/** Creates processes that share a cache and a clock. */
function createProcesses(count: number, changed: Partial<AttemptLimitOptions> = {}) {
  const apps = Array.from({ length: count }, () => createTestApp({ driver: null }))
  const clock = { nowMs: Date.now() }
  const driver = createMemoryDriver({ now: () => clock.nowMs })
  const leases: string[] = []
  const counted = {
    ...driver,
    async lease(key: string, ttlMs: number) {
      leases.push(key)
      const lease = await driver.lease(key, ttlMs)
      // Drivers that processes share return a copy of the bytes.
      return lease.kind === 'done' && lease.result
        ? { ...lease, result: new Uint8Array(lease.result) }
        : lease
    },
  }
  return {
    clock,
    /** Keys of all calls to `lease()` of the shared cache. */
    leases,
    limits: apps.map(() => {
      const { app, createBrowser } = createTestApp({ driver: counted })
      const limit = createAttemptLimitOn(
        { ...app, now: () => clock.nowMs },
        { ...options, ...changed },
      )
      return (key: string, request: { client?: string; headers?: Record<string, string> } = {}) =>
        createBrowser().act(() => limit(key), request)
    }),
  }
}

describe('the limit of attempts', () => {
  test('allows a number of attempts for a key, then says when to try again', async () => {
    const { clock, limits } = createProcesses(1)
    const [attempt] = limits
    for (let at = 0; at < 3; at++) {
      expect(await attempt?.('ada')).toEqual({ isAllowed: true })
      clock.nowMs += 10_000
    }
    expect(await attempt?.('ada')).toEqual({ isAllowed: false, retryAfterSeconds: 30 })
    expect(await attempt?.('eve')).toEqual({ isAllowed: true })
    clock.nowMs += 30_000
    expect(await attempt?.('ada')).toEqual({ isAllowed: true })
    expect(await attempt?.('ada')).toMatchObject({ isAllowed: false })
  })

  test('counts parallel attempts in several processes exactly', async () => {
    const { limits } = createProcesses(4)
    const results = await Promise.all(
      limits.flatMap((attempt) => Array.from({ length: 25 }, () => attempt('ada'))),
    )
    expect(results.filter(({ isAllowed }) => isAllowed)).toHaveLength(3)
  })

  test('a blocked key needs no call to the store, although other processes took its attempts', async () => {
    const { clock, leases, limits } = createProcesses(2)
    for (let at = 0; at < 3; at++) await limits[0]?.('ada')
    expect(await limits[1]?.('ada')).toEqual({ isAllowed: false, retryAfterSeconds: 60 })
    const before = leases.length
    for (let at = 0; at < 20; at++) {
      expect(await limits[at % 2]?.('ada')).toEqual({ isAllowed: false, retryAfterSeconds: 60 })
    }
    expect(leases).toHaveLength(before)
    clock.nowMs += 60_000
    expect(await limits[1]?.('ada')).toEqual({ isAllowed: true })
  })

  test('a process that follows another one asks the store a few times for each attempt', async () => {
    const { leases, limits } = createProcesses(2, { perKey: 100, perAddress: 100 })
    for (let at = 0; at < 50; at++) await limits[0]?.('ada')
    await limits[1]?.('ada')
    const before = leases.length
    for (let at = 0; at < 49; at++) expect(await limits[1]?.('ada')).toEqual({ isAllowed: true })
    expect(leases.length - before).toBe(49)
    expect(await limits[1]?.('ada')).toMatchObject({ isAllowed: false })
  })

  test('counts an address, which no header of the client changes', async () => {
    const { limits } = createProcesses(2)
    const results: boolean[] = []
    for (let at = 0; at < 8; at++) {
      const headers = {
        'x-forwarded-for': `198.51.100.${at}`,
        'x-real-ip': `198.51.100.${at}`,
        forwarded: `for=198.51.100.${at}`,
      }
      const result = await limits[at % 2]?.(`key ${at}`, { client: '203.0.113.7', headers })
      results.push(result?.isAllowed === true)
    }
    expect(results).toEqual([true, true, true, true, true, false, false, false])
    expect(await limits[0]?.('key', { client: '203.0.113.8' })).toEqual({ isAllowed: true })
  })

  test('an address that is blocked uses up no attempts of an account', async () => {
    const { limits } = createProcesses(1)
    const [attempt] = limits
    for (let at = 0; at < 5; at++) await attempt?.(`key ${at}`, { client: '203.0.113.7' })
    for (let at = 0; at < 5; at++) await attempt?.('ada', { client: '203.0.113.7' })
    for (let at = 0; at < 3; at++) {
      expect(await attempt?.('ada', { client: `203.0.113.${20 + at}` })).toEqual({
        isAllowed: true,
      })
    }
  })

  test('a private address is not counted, because it belongs to a proxy', async () => {
    const { limits } = createProcesses(1)
    for (let at = 0; at < 10; at++) {
      expect(await limits[0]?.(`key ${at}`, { client: '10.0.0.1' })).toEqual({ isAllowed: true })
    }
  })

  test.each([
    { perKey: 0 },
    { perKey: 1.5 },
    { perKey: 101 },
    { perAddress: -1 },
    { seconds: Number.NaN },
  ])('options must be whole numbers in a range: %j', (wrong) => {
    const { app } = createTestApp()
    expect(() => createAttemptLimitOn(app, { ...options, ...wrong })).toThrow(/Pass a whole number/)
  })
})
