import { startFaultProxy } from '@waymark/testing'

/** Milliseconds after which a click without effect counts as lost. */
const lostAfterMs = 15_000

/**
 * Runs a case and returns the outcome of its click: `page`, or a result of `readOutcome`. Each run
 * has its own proxy and browser context, so that runs share no faults and no caches.
 * @param {{ act: Function, expected?: object }} chosen one of `cases`
 * @param {string} url URL of the server
 * @param {(proxy: any, act: (page: any) => Promise<any>) => Promise<any>} inPage takes the proxy in
 * front of the server, and calls `act` with a page
 * @param {(page: any, kind: string) => Promise<void>} look is called with the page if the outcome
 * is not `page`
 * @returns `kind`, the number of requests with a fault and, for a lost click, a description of the
 * page with a log of its requests and, if the page can be watched, of its events
 */
export async function runCase({ act, expected }, url, inPage, look = async () => {}) {
  const proxy = await startFaultProxy(url)
  const startedAtMs = Date.now()
  try {
    const outcome = await inPage(proxy, async (page) => {
      const last = await act({ page, proxy })
      const kind = await outcomeOf(page, last ?? expected)
      if (kind !== 'page') await look(page, kind)
      if (kind !== 'lost') return { kind }
      return { kind, there: await page.evaluate(describe), events: (await page.watched?.()) ?? [] }
    })
    const faults = proxy.requests.filter(({ fault }) => fault).length
    if (outcome.kind !== 'lost') return { ...outcome, faults }
    const requests = proxy.requests.map(({ target, atMs, fault }) => ({
      atMs,
      text: `request: ${target} ${fault?.kind ?? ''}`,
    }))
    const { events, ...lost } = outcome
    const log = [...requests, ...events]
      .sort((one, other) => one.atMs - other.atMs)
      .map(({ atMs, text }) => `${atMs - startedAtMs} ms ${text}`)
    return { ...lost, faults, log }
  } finally {
    await proxy.stop()
  }
}

function outcomeOf(page, expected) {
  const isThere = page.waitForFunction(isOnPage, expected, { timeout: lostAfterMs, polling: 100 })
  // Look once more after the timeout, because on a busy machine the time may end before the page
  // was examined.
  const look = async () =>
    (await page.evaluate(isOnPage, expected)) ? 'page' : page.evaluate(readOutcome)
  return isThere.then(
    () => 'page',
    // Try twice, because a new document may replace the one in which the function runs.
    () => look().catch(look),
  )
}

/** True if the page of a path is visible. Runs in the page. */
export function isOnPage({ path, heading }) {
  const headings = [...document.querySelectorAll('h1')]
  const isVisible = headings.some((each) => each.textContent === heading && each.checkVisibility())
  return location.pathname === path && isVisible
}

/**
 * Describes the content that is shown instead of the expected page. Runs in the page.
 * @returns `notice`; `screen` for an error screen of the app or of the browser; `lost` for an
 * ordinary or an empty page
 */
export function readOutcome() {
  // Ignore route announcers, which are only for screen readers: they are hidden by a size of one
  // pixel or by a clip.
  const isSeen = (element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 1 && height > 1 && element.checkVisibility() && element.textContent.trim() !== ''
  }
  const roles =
    ':popover-open, [role=alert], [role=alertdialog], [role=dialog], [role=status], dialog[open]'
  if ([...document.querySelectorAll(roles)].some(isSeen)) return 'notice'
  const pages = ['Start', 'Refresh', 'A small dynamic page', 'A page with 100 items']
  const isOfApp = [...document.querySelectorAll('h1')].some(
    (each) => pages.includes(each.textContent) && isSeen(each),
  )
  // Check all elements, because an element with `display: contents` has no size itself.
  const isBlank = ![...document.body.querySelectorAll('*')].some(isSeen)
  return isOfApp || isBlank ? 'lost' : 'screen'
}

/** Describes the page's content. Runs in the page. */
function describe() {
  const headings = [...document.querySelectorAll('h1')].map(({ textContent }) => textContent)
  const pending = [...document.querySelectorAll('[data-pending]')].map((each) => each.outerHTML)
  const text = document.body.textContent.slice(0, 1000)
  return { href: location.href, headings, readyState: document.readyState, pending, text }
}
