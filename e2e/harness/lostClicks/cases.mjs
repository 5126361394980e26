import { isOnPage } from './outcome.mjs'

/**
 * Reproductions of clicks that people reported as lost. Each case gets a page and a proxy in front
 * of the server, and ends with a click or a step back. The page that should appear is in
 * `expected`, or the case returns it.
 */

const items = { path: '/items', heading: 'A page with 100 items' }
const withOwnCode = { path: '/own', heading: 'A page with 100 items' }
const small = { path: '/small', heading: 'A small dynamic page' }
const start = { path: '/start', heading: 'Start' }

/**
 * True for requests that a page's scripts make. Every framework fetches page data with such
 * requests.
 */
const isData = ({ headers }) => headers['sec-fetch-dest'] === 'empty'

const linkTo = (page, path) => page.locator(`a[href="${path}?q=1"]`)

export const cases = [
  {
    name: 'the data stalls half way',
    report: 'next.js#97807',
    expected: withOwnCode,
    async act({ page, proxy }) {
      await open(page)
      proxy.inject({ kind: 'stall', afterBytes: 300 }, { match: isData })
      await linkTo(page, '/own').click()
    },
  },
  {
    name: 'a click after one that was never answered',
    report: 'next.js#98066',
    expected: withOwnCode,
    async act({ page, proxy }) {
      await open(page)
      const rule = proxy.inject({ kind: 'hang' }, { match: isData })
      await linkTo(page, '/own').click()
      await page.waitForTimeout(3000)
      rule.remove()
      // Ignore a failed click: a notice may cover the link, or the page may already be shown.
      await linkTo(page, '/own')
        .click({ force: true, timeout: 1000 })
        .catch(() => {})
    },
  },
  {
    name: 'the data ends early',
    report: 'next.js#97337',
    expected: withOwnCode,
    async act({ page, proxy }) {
      await open(page)
      proxy.inject({ kind: 'cut', afterBytes: 300, ending: 'clean' }, { match: isData, times: 1 })
      await linkTo(page, '/own').click()
    },
  },
  {
    name: 'a click during hydration',
    report: 'next.js#98305',
    expected: withOwnCode,
    async act({ page }) {
      await page.addInitScript(clickAtHydration, '/own?q=1')
      await page.goto('/start', { waitUntil: 'commit' })
    },
  },
  {
    name: 'a second click while the first is pending',
    report: 'next.js#61938',
    expected: items,
    async act({ page, proxy }) {
      await open(page)
      proxy.inject({ kind: 'delay', ms: 2000 }, { match: isData })
      await linkTo(page, '/small').click()
      await page.waitForTimeout(200)
      await linkTo(page, '/items').click()
    },
  },
  {
    name: 'a click after a prefetch that failed',
    report: 'next.js#43048',
    expected: withOwnCode,
    async act({ page, proxy }) {
      proxy.inject({ kind: 'reset' }, { match: isData })
      await open(page)
      await linkTo(page, '/own').hover()
      await page.waitForTimeout(500)
      proxy.clear()
      await linkTo(page, '/own').click()
    },
  },
  {
    name: 'a click while the page is refreshed',
    report: 'next.js#45830',
    expected: withOwnCode,
    async act({ page, proxy }) {
      await page.goto('/refresh')
      await page.waitForLoadState('networkidle')
      const rule = proxy.inject({ kind: 'hang' }, { match: isData })
      await page.locator('article > button:last-of-type').click()
      await page.waitForTimeout(200)
      rule.remove()
      await linkTo(page, '/own').click()
    },
  },
  {
    name: 'Back during a load',
    report: 'next.js#97346',
    async act({ page, proxy }) {
      await open(page)
      await linkTo(page, '/small').click()
      await page.waitForFunction(isOnPage, small)
      proxy.inject({ kind: 'delay', ms: 2000 }, { match: isData })
      await linkTo(page, '/items').click()
      await page.waitForTimeout(200)
      const pathname = await page.evaluate(goBack)
      // Wait until the abandoned load would have finished.
      await page.waitForTimeout(3000)
      // The expected page depends on the framework: some change the URL when a load starts, others
      // when it ends.
      return pathname === '/items' ? small : start
    },
  },
]

async function open(page) {
  await page.goto('/start')
  await page.waitForLoadState('networkidle')
}

/**
 * Goes back in history. Runs in the page.
 * @returns the path before
 */
function goBack() {
  const { pathname } = location
  history.back()
  return pathname
}

/**
 * Clicks as soon as React attaches to the link, or after 2 s if that takes longer. Runs in the page.
 */
function clickAtHydration(href) {
  const startedAt = performance.now()
  const timer = setInterval(() => {
    const link = document.querySelector(`a[href="${href}"]`)
    if (!link) return
    const isHydrated = Object.keys(link).some((key) => key.startsWith('__reactProps'))
    if (!isHydrated && performance.now() - startedAt < 2000) return
    clearInterval(timer)
    link.click()
  }, 0)
}
