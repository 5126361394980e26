import type { HeaderLines } from '../../shared/answer.ts'
import { type Fallback, loadFallback } from './fallbacks.ts'
import type { FlightRender } from './flight.ts'
import type { Failure } from './gate.ts'
import { type Decision, decide } from './outcome.ts'
import type { PageApp, PageRequest } from './pageRequest.ts'
import type { SlotPath } from './segments.ts'
import { attemptRender, type RenderAttempt } from './tryPage.ts'

/** A page with its status decided. */
export type PageRender = {
  readonly decision: Exclude<Decision, { kind: 'fallback' | 'error' }>
  readonly status: number
  readonly headers: HeaderLines
  readonly flight: FlightRender
  /** The theme that the shown files insist on. */
  readonly theme: string | null
  /** Where what React could not render is answered from. */
  readonly place: SlotPath | null
  /** Whether it is the outermost screen already: there is none for its own failure. */
  readonly isLast: boolean
  /** Reports what a component threw. @returns the digest, all that the browser gets */
  readonly onError: (thrown: unknown) => string
}

/**
 * Renders a page as far as its status needs. Where a part of it failed, it is rendered again
 * with a screen in its place; where that fails, with the next screen further out.
 * @param known what an earlier rendering of the same page failed with
 * @throws what the outermost screen threw
 */
export async function renderPage(
  page: PageRequest,
  app: PageApp,
  known: Failure<SlotPath | null> | null = null,
): Promise<PageRender> {
  let failures: readonly Failure<SlotPath | null>[] = known ? [known] : []
  let replacement: Fallback | null = null
  while (true) {
    const decision = decide(failures)
    if (decision.kind === 'fallback' || decision.kind === 'error') {
      if (replacement && replacement.place === null) throw failures[0]?.thrown
      replacement = await loadFallback(decision, page, app)
    }
    const renderEnds = page.scope.timings?.start('render')
    const tried = await attemptRender(page, app, replacement)
    renderEnds?.()
    if (tried.failures.length === 0 || decide(tried.failures).kind === 'redirect') {
      return concluded(tried, replacement, page)
    }
    tried.flight.abandon()
    failures = tried.failures
  }
}

function concluded(
  { flight, failures, theme, place, onError }: RenderAttempt,
  replacement: Fallback | null,
  page: PageRequest,
): PageRender {
  return {
    // Of failures, only a redirect is answered without a screen.
    decision: decide(failures) as PageRender['decision'],
    status: replacement ? replacement.status : page.status,
    headers: replacement ? replacement.headers : [],
    flight,
    theme,
    place,
    isLast: replacement !== null && replacement.place === null,
    onError,
  }
}
