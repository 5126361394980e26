import { startFaultProxy } from '@waymark/testing'

/** A click is lost when after so long there is nothing that came of it. */
const lostAfterMs = 15_000

/**
 * What becomes of the click of a case: `page`, or one of `readOutcome`. A run has a proxy and a
 * browser context of its own: faults and caches are nobody else's.
 * @param {{ act: Function, expected?: object }} chosen one of `cases`
 * @param {string} url of the server
 * @param {(proxy: any, act: (page: any) => Promise<any>) => Promise<any>} inPage calls a function
 *   with a page, given the proxy before the server
 * @param {(page: any, kind: string) => Promise<void>} look is called with what is not the page
 * @returns `kind`, how many requests a fault has hit, and of a click that was lost what there was,
 *   with a log of the requests and, where a page can be watched, of its events
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
  // On a busy machine the time may be over before the page was looked at.
  const look = async () =>
    (await page.evaluate(isOnPage, expected)) ? 'page' : page.evaluate(readOutcome)
  return isThere.then(
    () => 'page',
    // A document that replaces another one takes the function with it, once.
    () => look().catch(look),
  )
}

/** Runs in the page. @returns true once the page of a path is visible */
export function isOnPage({ path, heading }) {
  const headings = [...document.querySelectorAll('h1')]
  const isVisible = headings.some((each) => each.textContent === heading && each.checkVisibility())
  return location.pathname === path && isVisible
}

/**
 * What there is in the place of the page that was clicked for. Runs in the page.
 * @returns `notice`; `screen`: what says that it failed, the browser's own included; `lost`: a page
 * of the app that says nothing, or nothing at all
 */
export function readOutcome() {
  // Route announcers are for screen readers: hidden by a size of one pixel, or a clip.
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
  // Not of its children only: one with `display: contents` has no size.
  const isBlank = ![...document.body.querySelectorAll('*')].some(isSeen)
  return isOfApp || isBlank ? 'lost' : 'screen'
}

/** Runs in the page. */
function describe() {
  const headings = [...document.querySelectorAll('h1')].map(({ textContent }) => textContent)
  const pending = [...document.querySelectorAll('[data-pending]')].map((each) => each.outerHTML)
  const text = document.body.textContent.slice(0, 1000)
  return { href: location.href, headings, readyState: document.readyState, pending, text }
}
