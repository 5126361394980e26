import { expect, test } from 'vitest'
import type { PrefetchResponse } from './fetchPrefetch.ts'
import { createPrefetcher } from './prefetcher.ts'

const url = (path: string) => new URL(path, 'https://example.com')
const pageOf = (bytes = 3): PrefetchResponse => ({
  kind: 'page',
  build: null,
  bytes: new Uint8Array(bytes),
})

/** Creates a prefetcher whose responses arrive when the test calls `respond`. */
function setUp({
  prefersReducedData = false,
  limits = { perPage: 3, perMinute: 5, atOnce: 2 },
} = {}) {
  const clock = { nowMs: 0 }
  const requested: string[] = []
  const signals: AbortSignal[] = []
  const preloaded: string[] = []
  const joined = { response: Promise.resolve(null), abort() {} }
  const open: ((response: PrefetchResponse) => void)[] = []
  const prefetcher = createPrefetcher({
    now: () => clock.nowMs,
    from: () => '/',
    prefersReducedData: () => prefersReducedData,
    fetchPrefetch: ({ pathname }, _, signal) => {
      requested.push(pathname)
      signals.push(signal)
      return new Promise((resolve) => open.push(resolve))
    },
    fetchWholePage: ({ pathname }, _, controller) => {
      requested.push(`whole ${pathname}`)
      signals.push(controller.signal)
      const ended = new Promise<PrefetchResponse>((resolve) => open.push(resolve))
      return { ended, join: () => joined }
    },
    preloadAssets: (assets) => preloaded.push(...assets.map(([url]) => url)),
    limits,
  })
  const respond = async (response: PrefetchResponse) => {
    open.shift()?.(response)
    await new Promise(setImmediate)
  }
  return { ...prefetcher, clock, requested, signals, preloaded, joined, respond }
}

test('a page is requested once and cached while it is fresh', async () => {
  const { see, consume, requested, respond, clock } = setUp()
  see(url('/a#one'))
  see(url('/a#two'))
  await respond(pageOf())
  see(url('/a'))
  expect(requested).toEqual(['/a'])
  expect(consume(url('/a'))).toMatchObject({ bytes: new Uint8Array(3) })
  clock.nowMs = 30_001
  expect(consume(url('/a'))).toBeNull()
  see(url('/a'))
  expect(requested).toEqual(['/a', '/a'])
})

test('requests are limited at once, per page and per minute', async () => {
  const { see, resetPage, requested, respond, clock } = setUp()
  for (let index = 0; index < 9; index++) see(url(`/${index}`))
  expect(requested).toEqual(['/0', '/1'])
  for (let index = 0; index < 4; index++) await respond(pageOf())
  expect(requested).toEqual(['/0', '/1', '/2'])
  resetPage()
  for (let index = 10; index < 19; index++) {
    see(url(`/${index}`))
    await respond(pageOf())
  }
  expect(requested.length).toBe(5)
  clock.nowMs = 60_001
  resetPage()
  see(url('/later'))
  expect(requested).toContain('/later')
})

test('pages with intent go first and may exceed the limit per page', async () => {
  const { see, intend, requested, respond } = setUp()
  for (let index = 0; index < 9; index++) see(url(`/${index}`))
  intend(url('/8'))
  for (let index = 0; index < 3; index++) await respond(pageOf())
  expect(requested).toEqual(['/0', '/1', '/8'])
  intend(url('/7'))
  expect(requested).toEqual(['/0', '/1', '/8', '/7'])
})

test('with reduced data, only intent prefetches', () => {
  const { see, intend, requested } = setUp({ prefersReducedData: true })
  see(url('/seen'))
  intend(url('/intended'))
  expect(requested).toEqual(['/intended'])
})

test.each<PrefetchResponse>([{ kind: 'nothing' }, { kind: 'failed' }])(
  'a response without a page is neither cached nor requested again: $kind',
  async (response) => {
    const { see, intend, consume, requested, respond } = setUp()
    see(url('/a'))
    await respond(response)
    see(url('/a'))
    intend(url('/a'))
    expect(consume(url('/a'))).toBeNull()
    expect(requested).toEqual(['/a'])
  },
)

test('a click aborts a running prefetch', async () => {
  const { see, consume, signals, respond } = setUp()
  see(url('/a'))
  expect(consume(url('/a'))).toBeNull()
  expect(signals[0]?.aborted).toBe(true)
  await respond(pageOf())
  expect(consume(url('/a'))).toBeNull()
})

test('prefetching pauses when the server asks for it', async () => {
  const { see, requested, respond, clock, ledger } = setUp()
  see(url('/a'))
  await respond({ kind: 'backoff', forMs: 5000 })
  see(url('/b'))
  expect(requested).toEqual(['/a'])
  clock.nowMs = 5000
  see(url('/b'))
  expect(requested).toEqual(['/a', '/b'])
  expect(ledger().refused).toBe(1)
})

test('prefetching pauses after three failures in a row', async () => {
  const { see, requested, respond, resetPage } = setUp()
  for (const path of ['/a', '/b', '/c']) {
    see(url(path))
    await respond({ kind: 'failed' })
  }
  resetPage()
  see(url('/d'))
  expect(requested).toEqual(['/a', '/b', '/c'])
})

test('the ledger counts used and wasted prefetches', async () => {
  const { see, consume, respond, ledger, clock } = setUp()
  for (const path of ['/used', '/wasted']) {
    see(url(path))
    await respond(pageOf(10))
  }
  consume(url('/used'))
  expect(ledger()).toEqual({ fetched: 2, bytes: 20, used: 1, wasted: 0, refused: 0 })
  clock.nowMs = 40_000
  expect(ledger()).toMatchObject({ used: 1, wasted: 1 })
})

test('an imminent click fetches the whole page if there is no cheaper way', async () => {
  const { see, expect: expectClick, consume, requested, respond, clock, ledger } = setUp()
  see(url('/a'))
  // The whole page isn't requested yet, because the running request may return it.
  expectClick(url('/a'))
  expect(requested).toEqual(['/a'])
  await respond({ kind: 'nothing' })
  expect(requested).toEqual(['/a', 'whole /a'])
  expectClick(url('/a'))
  await respond(pageOf(10))
  expectClick(url('/a'))
  expect(requested).toEqual(['/a', 'whole /a'])
  expect(consume(url('/a'))).toMatchObject({ bytes: new Uint8Array(10) })
  clock.nowMs = 5000
  expect(consume(url('/a'))).toBeNull()
  expect(ledger()).toEqual({ fetched: 1, bytes: 10, used: 1, wasted: 0, refused: 0 })
  expectClick(url('/a'))
  expect(requested.length).toBe(3)
})

test('a page that was fetched cheaply is not fetched whole', async () => {
  const { see, expect: expectClick, requested, respond } = setUp()
  see(url('/a'))
  expectClick(url('/a'))
  await respond(pageOf())
  expectClick(url('/a'))
  expect(requested).toEqual(['/a'])
})

test('a click takes over the running request for a whole page, once', async () => {
  const { expect: expectClick, consume, invalidate, joined, signals, respond, ledger } = setUp()
  expectClick(url('/a'))
  expect(consume(url('/a'))).toBe(joined)
  // Invalidating doesn't abort the request, because the click has taken it over.
  invalidate()
  expect(consume(url('/a'))).toBeNull()
  expect(signals[0]?.aborted).toBe(false)
  await respond(pageOf(10))
  expect(consume(url('/a'))).toBeNull()
  expect(ledger()).toEqual({ fetched: 1, bytes: 10, used: 1, wasted: 0, refused: 0 })
})

test('a whole page is discarded after a change, even while its request is running', async () => {
  const { expect: expectClick, consume, invalidate, requested, signals, respond } = setUp()
  expectClick(url('/a'))
  invalidate()
  expect(signals[0]?.aborted).toBe(true)
  expect(consume(url('/a'))).toBeNull()
  await respond(pageOf())
  expectClick(url('/a'))
  await respond(pageOf())
  invalidate()
  expect(consume(url('/a'))).toBeNull()
  expect(requested).toEqual(['whole /a', 'whole /a'])
})

test('a whole page that the server refused is not requested again', async () => {
  const { expect: expectClick, consume, requested, respond } = setUp()
  expectClick(url('/a'))
  await respond({ kind: 'nothing' })
  expectClick(url('/a'))
  expect(consume(url('/a'))).toBeNull()
  expect(requested).toEqual(['whole /a'])
})

test('the limits apply to whole pages, too', async () => {
  const { expect: expectClick, requested } = setUp()
  for (const path of ['/a', '/b', '/c']) expectClick(url(path))
  expect(requested).toEqual(['whole /a', 'whole /b'])
})

test.each([
  [false, ['/x.js', '/x.css']],
  [true, []],
])('assets of a page are preloaded unless reduced data is preferred: %s', async (saves, files) => {
  const {
    intend,
    expect: expectClick,
    preloaded,
    requested,
    respond,
  } = setUp({
    prefersReducedData: saves,
  })
  intend(url('/a'))
  await respond({ kind: 'nothing', assets: [['/x.js'], ['/x.css']] })
  expect(preloaded).toEqual(files)
  expectClick(url('/a'))
  expect(requested).toEqual(saves ? ['/a'] : ['/a', 'whole /a'])
})
