import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRenewals } from './renewals.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

/** A page whose renewals are counted; each brings another rendering. */
function createPage() {
  const page = {
    renewed: 0,
    tries: 0,
    asked: 0,
    isVisible: true,
    isBusy: false,
    isChanged: true,
    works: true,
    rendering: 'first',
  }
  const renewals = createRenewals({
    isVisible: () => page.isVisible,
    isBusy: () => page.isBusy,
    rendering: () => page.rendering,
    isChanged: async () => {
      page.asked++
      return page.isChanged
    },
    renew: async () => {
      page.tries++
      if (page.works) page.rendering = `${++page.renewed}`
      return page.works
    },
  })
  return { page, renewals }
}

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('a change is fetched at once, on a page that is there for a while', async () => {
  const { page, renewals } = createPage()
  renewals.look()
  await wait(10_000)
  renewals.ask()
  await wait(10)
  expect(page).toMatchObject({ renewed: 1, asked: 0 })
})

test('ten changes of a second are two requests', async () => {
  const { page, renewals } = createPage()
  for (let at = 0; at < 10; at++) {
    renewals.ask()
    await wait(100)
  }
  await wait(3_000)
  expect(page.renewed).toBe(2)
})

test('a page that shows the change already is not fetched', async () => {
  const { page, renewals } = createPage()
  page.isBusy = true
  renewals.ask()
  await wait(500)
  page.rendering = 'of the action'
  page.isBusy = false
  page.isChanged = false
  await wait(500)
  expect(page).toMatchObject({ renewed: 0, asked: 1 })
})

test('nothing is fetched while the tab is hidden, and once after it', async () => {
  const { page, renewals } = createPage()
  page.isVisible = false
  renewals.ask()
  renewals.ask()
  await wait(5_000)
  expect(page.renewed).toBe(0)
  page.isVisible = true
  renewals.look()
  await wait(1_000)
  expect(page.renewed).toBe(1)
})

test('what fails is tried again, less and less often', async () => {
  const { page, renewals } = createPage()
  page.works = false
  renewals.ask()
  await wait(20_000)
  expect(page.tries).toBeGreaterThan(3)
  expect(page.tries).toBeLessThan(8)
  page.works = true
  await wait(31_000)
  expect(page.renewed).toBe(1)
})

test('a change during a renewal is seen by the next one', async () => {
  const { page, renewals } = createPage()
  let finish = () => {}
  const slow = createRenewals({
    isVisible: () => true,
    isBusy: () => false,
    rendering: () => page.rendering,
    isChanged: async () => true,
    renew: () =>
      new Promise((resolve) => {
        finish = () => {
          page.rendering = `${++page.renewed}`
          resolve(true)
        }
      }),
  })
  renewals.look()
  slow.ask()
  await wait(10)
  slow.ask()
  finish()
  await wait(1_500)
  finish()
  await wait(10)
  expect(page.renewed).toBe(2)
})
