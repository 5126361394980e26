import type { Page } from 'playwright-core'

/** What became of a load. */
export type DrillOutcome =
  /** The page is there, by itself. */
  | 'arrived'
  /** A screen says what failed, with ways on. */
  | 'screen'
  /** A notice offers choices. */
  | 'notice'
  /** Nothing of these: a person waits, and is told nothing. */
  | 'stuck'

/** What a load found. */
export type Finding = {
  readonly outcome: DrillOutcome
  /** From the click to it. */
  readonly ms: number
  /** What is wrong with it all the same. */
  readonly problem: string | null
  /** Lines that a whole page has, and this one lacks. */
  readonly missing?: readonly string[]
}

/** What a person can see. */
export type Sight = {
  readonly pathname: string
  /** Lines of visible text. */
  readonly lines: readonly string[]
  readonly isPainted: boolean
  readonly hasNotice: boolean
  readonly hasScreen: boolean
}

/** What is on a page that is whole: its place, and the text that it always has. */
export type Signature = {
  readonly pathname: string
  readonly lines: readonly string[]
  /** Pathname of the page that was left, if that was a screen: it is no result. */
  readonly screenBefore?: string | undefined
}

const pollMs = 60
const lookMs = 2_000
const maxLines = 300

/** Looks at a page, as far as it can be looked at now. @returns `null` between two documents */
export async function lookAt(page: Page, screen: string | undefined): Promise<Sight | null> {
  const selector = ['.waymark-screen', ...(screen ? [screen] : [])].join()
  const looking = page.evaluate(
    ({ selector: screens, max }) => {
      const isVisible = (element: Element) => element.getClientRects().length > 0
      const hasVisible = (query: string) => [...document.querySelectorAll(query)].some(isVisible)
      const notice = document.querySelector('[data-waymark-notice]')
      // What a notice says is no part of the page.
      const noticed = new Set(
        // biome-ignore lint/performance/useDomNodeTextContent: what a person sees, and no hidden page
        (notice instanceof HTMLElement ? notice.innerText : '').split('\n').map((s) => s.trim()),
      )
      // biome-ignore lint/performance/useDomNodeTextContent: as above
      const lines = (document.body?.innerText ?? '').split('\n').map((line) => line.trim())
      return {
        pathname: location.protocol === 'chrome-error:' ? 'chrome-error:' : location.pathname,
        lines: lines.filter((line) => line !== '' && !noticed.has(line)).slice(0, max),
        isPainted: performance.getEntriesByType('paint').length > 0,
        hasNotice: hasVisible('[data-waymark-notice]'),
        hasScreen: hasVisible(screens),
      }
    },
    { selector, max: maxLines },
  )
  // A document that is being parsed may not answer, and one that goes takes the question along.
  const timeout = new Promise<null>((resolve) => setTimeout(resolve, lookMs, null).unref())
  return Promise.race([looking.catch(() => null), timeout])
}

/** What two sights of a page have in common: dates and counters are left out. */
export function signatureOf(first: Sight, second: Sight): Signature {
  const again = new Set(second.lines)
  return { pathname: second.pathname, lines: first.lines.filter((line) => again.has(line)) }
}

/**
 * Lists the lines that a page lacks. Without styles they are joined and broken elsewhere, and
 * `text-transform` does not hold: only letters count.
 */
export function missingLines(sight: Sight | null, { lines }: Signature): string[] {
  const seen = squash(sight?.lines.join('') ?? '')
  return lines.filter((line) => !seen.includes(squash(line)))
}

function squash(text: string): string {
  return text.replaceAll(/\s+/g, '').toLowerCase()
}

/** Tells what a person sees by now; `stuck` while that is nothing of use. */
export function outcomeOf(sight: Sight | null, signature: Signature): DrillOutcome {
  if (sight === null || !sight.isPainted || sight.pathname === 'chrome-error:') return 'stuck'
  const isPlace = sight.pathname === signature.pathname
  const isThere = isPlace && missingLines(sight, signature).length === 0
  if (isThere && !sight.hasScreen) return 'arrived'
  if (sight.hasNotice) return 'notice'
  return sight.hasScreen && sight.pathname !== signature.screenBefore ? 'screen' : 'stuck'
}

/** How a load went. */
export type Load = {
  readonly outcome: DrillOutcome
  /** From the click to it. */
  readonly ms: number
  readonly sight: Sight | null
}

/**
 * Waits until a load has come to something.
 * @param limit `withinMs`; `settleMs`: how long a notice or screen stands before it counts, for a
 *   page that arrives all the same is better
 */
export async function awaitOutcome(
  page: Page,
  signature: Signature,
  limit: { readonly withinMs: number; readonly settleMs: number; readonly screen?: string },
): Promise<Load> {
  const beganMs = performance.now()
  let since: { outcome: DrillOutcome; ms: number } = { outcome: 'stuck', ms: 0 }
  for (;;) {
    const sight = await lookAt(page, limit.screen)
    const ms = Math.round(performance.now() - beganMs)
    const outcome = outcomeOf(sight, signature)
    if (outcome !== since.outcome) since = { outcome, ms }
    const isSettled =
      outcome === 'arrived' || (outcome !== 'stuck' && ms - since.ms >= limit.settleMs)
    if (isSettled || ms >= limit.withinMs) return { outcome, ms: since.ms || ms, sight }
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/**
 * Waits until a page does not change any more.
 * @returns `null` when it has not come within the time
 */
export async function awaitSettled(
  page: Page,
  withinMs: number,
  screen: string | undefined,
): Promise<Sight | null> {
  const beganMs = performance.now()
  let last = { text: '', sinceMs: beganMs }
  for (;;) {
    const sight = await lookAt(page, screen)
    const nowMs = performance.now()
    const text = sight?.isPainted ? JSON.stringify(sight) : ''
    if (last.text !== text) last = { text, sinceMs: nowMs }
    else if (text !== '' && nowMs - last.sinceMs >= 500) return sight
    if (nowMs - beganMs >= withinMs) return null
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
