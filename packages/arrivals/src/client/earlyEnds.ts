import { writeHandover } from './handover.ts'
import { type EarlyEnd, earlyEndsKey } from './keepItem.ts'
import { createKeptList } from './keptLoads.ts'
import { createLoadTracker, type EndedLoad } from './loadTracker.ts'

/** Tells of the loads of documents that were closed before the code that counts had come. */
export function tellEarlyEnds(view: Window, onEnd: (load: EndedLoad) => void): void {
  const ends = createKeptList<EarlyEnd>(() => view.localStorage, earlyEndsKey)
  for (let end = ends.take(); end; end = ends.take()) {
    try {
      tellEarlyEnd(end, view, onEnd)
    } catch {
      // Another version of this code has written it.
    }
  }
}

function tellEarlyEnd(end: EarlyEnd, view: Window, onEnd: (load: EndedLoad) => void): void {
  const { pathname, shownAtMs, endedAtMs, events, timeOrigin } = end
  const early = createLoadTracker({
    onEnd,
    onHandover: (url, handover) => writeHandover(view, url, handover, timeOrigin),
    isOnline: () => view.navigator.onLine,
  })
  early.begin(view.location.origin + pathname, null)
  if (shownAtMs !== null) early.show(shownAtMs, null, null)
  for (const [event, atMs] of events) early.record(event, atMs)
  early.giveUp(endedAtMs)
}
