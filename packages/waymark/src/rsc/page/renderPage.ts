import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import type { HeaderLines } from '../../shared/response.ts'
import { type Decision, decide, type Fallback, loadFallback } from './fallbacks.ts'
import { ends, endsSoon, type FlightRender } from './flight.ts'
import type { PageApp, PageRequest } from './pageRequest.ts'
import type { RouteFile } from './routeModules.ts'
import type { SlotPath } from './segments.ts'
import { type StartedRender, startRender } from './startRender.ts'
import type { Failure, StatusGate } from './statusGate.ts'
import { createTimeLimit, type TimeLimit } from './timeLimit.ts'

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

/** One try at a page: being written, with what failed until its status had to be known. */
export type RenderAttempt = Pick<StartedRender, 'flight' | 'theme' | 'place' | 'onError'> & {
  readonly failures: readonly Failure<SlotPath | null>[]
}

/**
 * Renders a page until its deciders have come to an end, or their time is over.
 * @param replacement the screen that an earlier try ended with
 */
export function attemptRender(
  page: PageRequest,
  app: PageApp,
  replacement: Fallback | null,
): Promise<RenderAttempt> {
  const beginning = startRender(page, app, replacement)
  return beginning instanceof Promise
    ? beginning.then((begun) => decided(begun, page, app))
    : decided(beginning, page, app)
}

/** What the innermost file of a route exports as `statusDeadlineMs`. */
function statusDeadlineOf(
  root: MatchedSegment,
  fileOf: (path: string) => RouteFile,
): number | null {
  let found: number | null = null
  for (let segment: MatchedSegment | undefined = root; segment; ) {
    const path: string | null | undefined =
      segment.kind === 'folder' ? segment.node.files.layout : segment.page
    const own = path && !segment.background ? fileOf(path).module.statusDeadlineMs : null
    if (typeof own === 'number' && own >= 0) found = own
    segment = segment.kind === 'folder' ? segment.slots.children : undefined
  }
  return found
}

async function decided(
  begun: StartedRender,
  page: PageRequest,
  app: PageApp,
): Promise<RenderAttempt> {
  const { gate, flight, theme, place, onError, fileOf, cutHead } = begun
  // What waits for nothing but this request's own values comes to its end in microtasks.
  await new Promise(setImmediate)
  const deadlineMs = page.isPatient
    ? app.settleDeadlineMs
    : (statusDeadlineOf(page.match.root, fileOf) ?? app.statusDeadlineMs)
  const isWhole = page.isPatient || deadlineMs === Number.POSITIVE_INFINITY
  const { channel } = flight
  if (!gate.isSettled() || (isWhole && !channel.ended)) {
    const { signal } = page.request
    const limit = createTimeLimit(deadlineMs, signal)
    await settled(gate, limit)
    if (isWhole && !channel.ended) await Promise.race([ends(channel), limit.over])
    limit.clear()
    // Nobody wants the rest of it, nor a screen in its place.
    if (signal.aborted) flight.abandon()
  }
  if (!channel.ended) await endsSoon(channel)
  gate.close()
  // What is kept waits for all of it.
  if (page.scope.phase !== 'prerender') cutHead()
  return { flight, failures: gate.failures, theme, place, onError }
}

async function settled(gate: StatusGate<SlotPath | null>, limit: TimeLimit): Promise<void> {
  void limit.over.then(gate.close)
  while (!gate.isSettled()) {
    await gate.whenSettled()
    // What the last one rendered may call gate() now.
    await new Promise(setImmediate)
  }
}
