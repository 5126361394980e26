import type { Page } from 'playwright-core'

export type DrillOutcome =
  /** The page has arrived. */
  | 'arrived'
  /** An error screen says what failed, and offers ways to continue. */
  | 'screen'
  /** A notice says that something failed, and offers choices. */
  | 'notice'
  /** The page hasn't arrived, and the user waits without any message. */
  | 'stuck'
  /** The drill couldn't measure the load, for example because the machine was too busy. */
  | 'not measured'

/** Result of a load. */
export type Finding = {
  readonly outcome: DrillOutcome
  /** Milliseconds from the click to the outcome. */
  readonly ms: number
  /** Reason why the load is wrong despite its outcome; otherwise `null`. */
  readonly problem: string | null
  /** Lines that the complete page has, but this load lacks. */
  readonly missing?: readonly string[]
}

/** The part of a page that a user sees. */
export type Sight = {
  readonly pathname: string
  /** Lines of visible text. */
  readonly lines: readonly string[]
  readonly isPainted: boolean
  readonly hasNotice: boolean
  readonly hasScreen: boolean
}

/** Facts that identify a complete page: its path, and the text that it always has. */
export type Signature = {
  readonly pathname: string
  readonly lines: readonly string[]
  /**
   * Path of the previous page if it was a screen, so that this screen doesn't count as the outcome.
   */
  readonly screenBefore?: string | undefined
}

const pollMs = 60
/** Milliseconds that the browser may take to read a page, on a machine that isn't busy. */
const lookMs = 2_000
const maxLines = 300

/**
 * Reads the visible parts of a page. @returns the visible parts; `null` while the browser is
 * switching between two documents
 */
export async function lookAt(
  page: Page,
  screen: string | undefined,
  slowdown = 1,
): Promise<Sight | null> {
  const selector = ['.waymark-screen', ...(screen ? [screen] : [])].join()
  const looking = page.evaluate(
    ({ selector: screens, max }) => {
      const isVisible = (element: Element) => element.getClientRects().length > 0
      const hasVisible = (query: string) => [...document.querySelectorAll(query)].some(isVisible)
      const notice = document.querySelector('[data-waymark-notice]')
      // A notice isn't part of the page, so omit its text.
      const noticed = new Set(
        // biome-ignore lint/performance/useDomNodeTextContent: only visible text counts
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
  // Limit the time, because a document that is still loading may not respond, and a document that
  // has been unloaded never responds.
  const timeout = new Promise<null>((resolve) =>
    setTimeout(resolve, lookMs * slowdown, null).unref(),
  )
  return Promise.race([looking.catch(() => null), timeout])
}

/** Returns the text that two loads of a page have in common. This excludes dates and counters. */
export function signatureOf(first: Sight, second: Sight): Signature {
  const again = new Set(second.lines)
  return { pathname: second.pathname, lines: first.lines.filter((line) => again.has(line)) }
}

/**
 * Returns the lines that a page lacks. Only compares letters, because without style sheets, lines
 * break elsewhere and `text-transform` has no effect.
 */
export function missingLines(sight: Sight | null, { lines }: Signature): string[] {
  const seen = squash(sight?.lines.join('') ?? '')
  return lines.filter((line) => !seen.includes(squash(line)))
}

function squash(text: string): string {
  return text.replaceAll(/\s+/g, '').toLowerCase()
}

/** Returns the outcome so far: `stuck` as long as the user sees nothing useful. */
export function outcomeOf(sight: Sight | null, signature: Signature): DrillOutcome {
  if (sight === null || !sight.isPainted || sight.pathname === 'chrome-error:') return 'stuck'
  const isPlace = sight.pathname === signature.pathname
  const isThere = isPlace && missingLines(sight, signature).length === 0
  if (isThere && !sight.hasScreen) return 'arrived'
  if (sight.hasNotice) return 'notice'
  return sight.hasScreen && sight.pathname !== signature.screenBefore ? 'screen' : 'stuck'
}

export type Load = {
  readonly outcome: DrillOutcome
  /** Milliseconds from the click to the outcome. */
  readonly ms: number
  readonly sight: Sight | null
}

/**
 * Waits until a load has an outcome.
 * @param limit `withinMs`: the longest time to wait. `settleMs`: milliseconds for which a notice or
 * screen must be visible to count, because the page may still arrive.
 */
export async function awaitOutcome(
  page: Page,
  signature: Signature,
  limit: {
    readonly withinMs: number
    readonly settleMs: number
    readonly slowdown: number
    readonly screen?: string
  },
): Promise<Load> {
  const beganMs = performance.now()
  let since: { outcome: DrillOutcome; ms: number } = { outcome: 'stuck', ms: 0 }
  for (;;) {
    const sight = await lookAt(page, limit.screen, limit.slowdown)
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
 * Waits until a page no longer changes.
 * @returns the visible parts of the page; `null` if the page is still changing when the time is
 * over
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
