import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRenewals } from './renewals.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

/** Creates a page whose renewals are counted. Each renewal fetches a new rendering. */
function createPage() {
  const page = {
    renewed: 0,
    tries: 0,
    checks: 0,
    isVisible: true,
    isBusy: false,
    isChanged: true,
    works: true,
    rendering: 'p1first',
    isStale: false,
    isFailing: false,
    /** Id of the process that responds and renders. */
    from: 'p1',
  }
  const renewals = createRenewals({
    isVisible: () => page.isVisible,
    isBusy: () => page.isBusy,
    rendering: () => page.rendering,
    isStale: () => page.isStale,
    isChanged: async () => {
      page.checks++
      return { isChanged: page.isChanged, from: page.from }
    },
    renew: async () => {
      page.tries++
      if (page.works) page.rendering = `${page.from}${++page.renewed}`
      return page.works
    },
    onFailing: (isFailing) => {
      page.isFailing = isFailing
    },
  })
  return { page, renewals }
}

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('a change is fetched at once if the page has been open for a while', async () => {
  const { page, renewals } = createPage()
  renewals.look()
  await wait(10_000)
  renewals.ask('p1')
  await wait(10)
  expect(page).toMatchObject({ renewed: 1, checks: 0 })
})

test('ten changes in a second cause two requests', async () => {
  const { page, renewals } = createPage()
  for (let at = 0; at < 10; at++) {
    renewals.ask('p1')
    await wait(100)
  }
  await wait(3_000)
  expect(page.renewed).toBe(2)
})

test('a page that already shows the change is not fetched', async () => {
  const { page, renewals } = createPage()
  page.isBusy = true
  renewals.ask('p1')
  await wait(500)
  page.rendering = 'of the action'
  page.isBusy = false
  page.isChanged = false
  await wait(500)
  expect(page).toMatchObject({ renewed: 0, checks: 1 })
})

test('a hidden tab fetches nothing, and fetches once when it is shown', async () => {
  const { page, renewals } = createPage()
  page.isVisible = false
  renewals.ask('p1')
  renewals.ask('p1')
  await wait(5_000)
  expect(page.renewed).toBe(0)
  page.isVisible = true
  renewals.look()
  await wait(1_000)
  expect(page.renewed).toBe(1)
})

test('a failed renewal is retried less and less often', async () => {
  const { page, renewals } = createPage()
  page.works = false
  renewals.ask('p1')
  await wait(20_000)
  expect(page.isFailing).toBe(true)
  expect(page.tries).toBeGreaterThan(3)
  expect(page.tries).toBeLessThan(8)
  page.works = true
  await wait(31_000)
  expect(page).toMatchObject({ renewed: 1, isFailing: false })
})

test('a change during a renewal is fetched by the next one', async () => {
  const { page, renewals } = createPage()
  let finish = () => {}
  const slow = createRenewals({
    isVisible: () => true,
    isBusy: () => false,
    isStale: () => false,
    onFailing() {},
    rendering: () => page.rendering,
    isChanged: async () => ({ isChanged: true, from: 'p1' }),
    renew: () =>
      new Promise((resolve) => {
        finish = () => {
          page.rendering = `p1${++page.renewed}`
          resolve(true)
        }
      }),
  })
  renewals.look()
  slow.ask('p1')
  await wait(10)
  slow.ask('p1')
  finish()
  await wait(1_500)
  finish()
  await wait(10)
  expect(page.renewed).toBe(2)
})

test('a process that does not know of the change yet is asked again', async () => {
  const { page, renewals } = createPage()
  page.from = 'p2'
  renewals.look()
  await wait(10_000)
  renewals.ask('p1')
  await wait(10)
  expect(page).toMatchObject({ renewed: 1, checks: 0 })
  // Expect another renewal, because the page was rendered before its process knew of the change.
  await wait(1_500)
  expect(page).toMatchObject({ renewed: 2, checks: 1 })
  await wait(60_000)
  expect(page).toMatchObject({ renewed: 2, checks: 1 })
})

test('another process that reports no change is asked again', async () => {
  const { page, renewals } = createPage()
  Object.assign(page, { from: 'p2', isChanged: false })
  renewals.ask('p1')
  await wait(10)
  expect(page).toMatchObject({ renewed: 0, checks: 1 })
  page.isChanged = true
  await wait(1_500)
  expect(page).toMatchObject({ renewed: 1, checks: 2 })
})

test('a single process is asked only once', async () => {
  const { page, renewals } = createPage()
  renewals.look()
  await wait(10_000)
  renewals.ask('p1')
  await wait(60_000)
  expect(page).toMatchObject({ renewed: 1, checks: 0 })
})

test('a page with stale data is fetched less and less often until it is current', async () => {
  const { page, renewals } = createPage()
  page.isStale = true
  renewals.ask('p1')
  await wait(60_000)
  expect(page.renewed).toBeGreaterThan(3)
  expect(page.renewed).toBeLessThan(8)
  const { renewed } = page
  page.isStale = false
  await wait(120_000)
  expect(page.renewed).toBeLessThanOrEqual(renewed + 1)
})

test('a page that is lost each time is fetched less and less often', async () => {
  const { page, renewals } = createPage()
  let seen = ''
  for (let seconds = 0; seconds < 3_600; seconds++) {
    if (page.rendering !== seen) renewals.lose()
    seen = page.rendering
    // Call `look` without a new page, as after a prefetch or a change in another tab, which must not
    // count.
    renewals.look()
    await wait(1_000)
  }
  expect(page.renewed).toBeGreaterThan(10)
  expect(page.renewed).toBeLessThan(24)
})

test('a page that is lost once in a while is fetched at once', async () => {
  const { page, renewals } = createPage()
  for (let times = 1; times < 4; times++) {
    renewals.lose()
    await wait(1_000)
    expect(page.renewed).toBe(times)
    await wait(900_000)
  }
})

test('setting the clock back delays nothing', async () => {
  const { page, renewals } = createPage()
  renewals.ask('p1')
  await wait(5_000)
  vi.setSystemTime(0)
  renewals.ask('p1')
  await wait(2_000)
  expect(page.renewed).toBe(2)
})
