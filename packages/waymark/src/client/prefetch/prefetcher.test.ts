import { expect, test } from 'vitest'
import type { PrefetchResponse } from './fetchPrefetch.ts'
import { createPrefetcher } from './prefetcher.ts'

const url = (path: string) => new URL(path, 'https://example.com')
const pageOf = (bytes = 3): PrefetchResponse => ({
  kind: 'page',
  build: null,
  bytes: new Uint8Array(bytes),
})

/** A prefetcher whose responses come when the test says so. */
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

test('a page is requested once, and cached while it is fresh', async () => {
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

test('only so many at once, per page and per minute', async () => {
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

test('what has intent goes first, beyond the limit of the page', async () => {
  const { see, intend, requested, respond } = setUp()
  for (let index = 0; index < 9; index++) see(url(`/${index}`))
  intend(url('/8'))
  for (let index = 0; index < 3; index++) await respond(pageOf())
  expect(requested).toEqual(['/0', '/1', '/8'])
  intend(url('/7'))
  expect(requested).toEqual(['/0', '/1', '/8', '/7'])
})

test('on a line that costs, only intent fetches', () => {
  const { see, intend, requested } = setUp({ prefersReducedData: true })
  see(url('/seen'))
  intend(url('/intended'))
  expect(requested).toEqual(['/intended'])
})

test.each<PrefetchResponse>([{ kind: 'nothing' }, { kind: 'failed' }])(
  'what is no page is neither cached nor requested again: $kind',
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

test('a click overtakes what is still on its way', async () => {
  const { see, consume, signals, respond } = setUp()
  see(url('/a'))
  expect(consume(url('/a'))).toBeNull()
  expect(signals[0]?.aborted).toBe(true)
  await respond(pageOf())
  expect(consume(url('/a'))).toBeNull()
})

test('a server that asks for a pause gets it', async () => {
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

test('failures in a row end prefetching for a while', async () => {
  const { see, requested, respond, resetPage } = setUp()
  for (const path of ['/a', '/b', '/c']) {
    see(url(path))
    await respond({ kind: 'failed' })
  }
  resetPage()
  see(url('/d'))
  expect(requested).toEqual(['/a', '/b', '/c'])
})

test('the ledger counts what was of use, and what was not', async () => {
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

test('a click that is about to come fetches a page that came in no cheaper way', async () => {
  const { see, expect: expectClick, consume, requested, respond, clock, ledger } = setUp()
  see(url('/a'))
  // Not yet: it may come in the response to this.
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

test('the click joins a whole page that is on its way, once', async () => {
  const { expect: expectClick, consume, invalidate, joined, signals, respond, ledger } = setUp()
  expectClick(url('/a'))
  expect(consume(url('/a'))).toBe(joined)
  // From now on it is the click's.
  invalidate()
  expect(consume(url('/a'))).toBeNull()
  expect(signals[0]?.aborted).toBe(false)
  await respond(pageOf(10))
  expect(consume(url('/a'))).toBeNull()
  expect(ledger()).toEqual({ fetched: 1, bytes: 10, used: 1, wasted: 0, refused: 0 })
})

test('a whole page is dropped when something has changed, also while it is on its way', async () => {
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

test('one that is refused is not asked for again', async () => {
  const { expect: expectClick, consume, requested, respond } = setUp()
  expectClick(url('/a'))
  await respond({ kind: 'nothing' })
  expectClick(url('/a'))
  expect(consume(url('/a'))).toBeNull()
  expect(requested).toEqual(['whole /a'])
})

test('what the budget holds back counts whole pages, too', async () => {
  const { expect: expectClick, requested } = setUp()
  for (const path of ['/a', '/b', '/c']) expectClick(url(path))
  expect(requested).toEqual(['whole /a', 'whole /b'])
})

test.each([
  [false, ['/x.js', '/x.css']],
  [true, []],
])('what a page needs is preloaded, unless data is to be saved: %s', async (saves, files) => {
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
