import { writeHandover } from './handover.ts'
import { createLoadTracker, type EndedLoad } from './loadTracker.ts'
import { createStoredList } from './storedList.ts'
import { type ClosedDocument, closedDocumentsKey } from './storeItem.ts'

/** Reports the loads of documents that were closed before the counting code had loaded. */
export function reportClosedDocuments(view: Window, onEnd: (load: EndedLoad) => void): void {
  const ends = createStoredList<ClosedDocument>(() => view.localStorage, closedDocumentsKey)
  for (let end = ends.take(); end; end = ends.take()) {
    try {
      reportClosedDocument(end, view, onEnd)
    } catch {
      // A different version of this code wrote the entry.
    }
  }
}

function reportClosedDocument(
  end: ClosedDocument,
  view: Window,
  onEnd: (load: EndedLoad) => void,
): void {
  const { pathname, paintedAtMs, endedAtMs, events, timeOrigin } = end
  const tracker = createLoadTracker({
    onEnd,
    onHandover: (url, handover) => writeHandover(view, url, handover, timeOrigin),
    isOnline: () => view.navigator.onLine,
  })
  tracker.begin(view.location.origin + pathname, null)
  if (paintedAtMs !== null) tracker.show(paintedAtMs, null, null)
  for (const [event, atMs] of events) tracker.record(event, atMs)
  tracker.giveUp(endedAtMs)
}
