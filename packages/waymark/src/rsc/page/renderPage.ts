import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import type { HeaderLines } from '../../shared/response.ts'
import { bareNotFound, type Decision, decide, type Fallback, loadFallback } from './fallbacks.ts'
import type { PageApp, PageRequest } from './pageRequest.ts'
import { decideStatus, type PageFailure } from './pageRun.ts'
import { mainLine, renderedFile } from './routeModules.ts'
import type { SlotPath } from './segments.ts'
import { loadRouteFiles, type PageRender, startRender } from './startRender.ts'

/** A page whose status is decided. */
export type DecidedPage = Pick<PageRender, 'flight' | 'theme' | 'place' | 'onError'> & {
  readonly decision: Exclude<Decision, { kind: 'fallback' | 'error' }>
  readonly status: number
  readonly headers: HeaderLines
  /** Whether it shows the outermost fallback: there is none for a failure of that. */
  readonly isOutermost: boolean
}

/**
 * Renders a page until its status is known. Where a part of it failed, it is rendered again with a
 * fallback in place of that part; where that fails, with the next fallback further out.
 * @param known a failure of an earlier rendering of the same page
 * @throws what the outermost fallback threw
 */
export async function renderPage(
  page: PageRequest,
  app: PageApp,
  known: PageFailure<SlotPath | null> | null = null,
): Promise<DecidedPage> {
  const loading = loadRouteFiles(page, app)
  const files = loading instanceof Promise ? await loading : loading
  const bare = bareNotFound(page.match.root)
  let decision: Decision = bare
    ? { kind: 'fallback', status: page.status, place: bare }
    : decide(known ? [known] : [])
  // Page and slots beside it may fail each: what one of them shows stays when another fails.
  const fallbacks: Fallback[] = []
  for (;;) {
    if (decision.kind === 'fallback' || decision.kind === 'error') {
      fallbacks.push(await loadFallback(decision, page, app))
    }
    const fallback = fallbacks.findLast(({ isBeside }) => !isBeside) ?? null
    const endTiming = page.scope.context.timings?.start('render')
    const render = startRender(page, app, { files, fallback, fallbacks })
    const failures = await waitForStatus(render, page, app)
    endTiming?.()
    decision = decide(failures)
    const isOutermost = fallback !== null && fallback.place === null
    if (decision.kind === 'page' || decision.kind === 'redirect') {
      const { status } = fallback ?? page
      const headers = (fallback ?? fallbacks.at(-1))?.headers ?? []
      const { flight, theme, place, onError } = render
      // No spread: V8 11.3 makes a hidden class for each result of one, 15 µs for each page.
      return { flight, theme, place, onError, decision, status, headers, isOutermost }
    }
    render.flight.abandon()
    if (isOutermost || fallbacks.length === maxFallbacks) throw failures[0]?.thrown
  }
}

// More than any page has places for: a bound, should one fail again and again.
const maxFallbacks = 32

/**
 * Waits until the layouts, the page and the metadata have rendered, or the deadline has passed.
 * Clients that need the final status get the whole page.
 * @returns what failed until then
 */
export async function waitForStatus(
  { run, flight, fileOf, cutHead }: PageRender,
  { request, match, scope, isPatient }: PageRequest,
  { settleDeadlineMs, statusDeadlineMs }: PageApp,
): Promise<readonly PageFailure<SlotPath | null>[]> {
  const deadlineMs = isPatient
    ? settleDeadlineMs
    : (statusDeadlineOf(match.root, fileOf) ?? statusDeadlineMs)
  const isWhole = isPatient || deadlineMs === Number.POSITIVE_INFINITY
  const failures = await decideStatus(run, flight, { deadlineMs, isWhole, client: request })
  // A page for the cache waits for all of its head.
  if (scope.phase !== 'prerender') cutHead()
  return failures
}

/** What the innermost file of a route exports as `statusDeadlineMs`. */
function statusDeadlineOf(root: MatchedSegment, fileOf: PageRender['fileOf']): number | undefined {
  let found: number | undefined
  for (const segment of mainLine(root)) {
    const path = segment.background ? null : renderedFile(segment)
    const own = path && fileOf(path).module.statusDeadlineMs
    if (typeof own === 'number' && own >= 0) found = own
  }
  return found
}
