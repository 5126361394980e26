import type { MatchedSegment } from '../../routing/matched.ts'
import { type StartedRender, startRender } from './beginPage.ts'
import type { Fallback } from './fallbacks.ts'
import { ends, endsSoon } from './flight.ts'
import type { Failure, StatusGate } from './gate.ts'
import type { PageApp, PageRequest } from './pageRequest.ts'
import type { RouteFile } from './routeModules.ts'
import type { SlotPath } from './segments.ts'
import { createTimeLimit, type TimeLimit } from './timeLimit.ts'

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
