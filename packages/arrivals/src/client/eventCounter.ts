import type { TracedEvent } from 'waymark/plugin'
import type { LoadEvent } from './loadTracker.ts'
import { type ClosedDocument, closedDocumentsKey, storeItem } from './storeItem.ts'

type Waiting = readonly [event: LoadEvent, atMs: number]

type Recorder = { record(event: LoadEvent, atMs: number): void }
type OnEvent = (event: TracedEvent) => void
type RecorderCode = { startRecorder(view: Window, isDocumentCounted: boolean): Recorder }

const maxWaiting = 200

/**
 * Stores events from the first script on, until the code for counting loads has arrived.
 * @param load fetches the counting code; called once the browser is idle
 */
export function createEventCounter(view: Window, load: () => Promise<RecorderCode>): OnEvent {
  const { performance, document } = view
  const waiting: Waiting[] = []
  let recorder: Recorder | null = null
  let isDocumentCounted = false

  function begin(): void {
    load().then(
      ({ startRecorder }) => {
        recorder = startRecorder(view, isDocumentCounted)
        for (const [event, atMs] of waiting.splice(0)) recorder.record(event, atMs)
      },
      // The network failed. The next document counts this document's loads.
      () => {},
    )
  }
  const onIdle = () => (view.requestIdleCallback ?? view.setTimeout)(begin)
  if (document.readyState === 'complete') onIdle()
  else view.addEventListener('load', onIdle, { once: true })

  view.addEventListener('pagehide', () => {
    if (recorder || isDocumentCounted) return
    isDocumentCounted = true
    const paint = performance.getEntriesByName('first-contentful-paint')[0]
    const end: ClosedDocument = {
      pathname: view.location.pathname,
      paintedAtMs: paint?.startTime ?? null,
      endedAtMs: performance.now(),
      // A page from the back/forward cache must only count later events, so remove these.
      events: waiting.splice(0).map(withoutQuery),
      timeOrigin: performance.timeOrigin,
    }
    storeItem(() => view.localStorage, closedDocumentsKey, end)
  })

  return (event) => {
    // The tracker ignores event types that it doesn't know, so cast.
    const timed = [event as LoadEvent, performance.now()] as const
    if (recorder) recorder.record(...timed)
    else if (waiting.length < maxWaiting) waiting.push(timed)
  }
}

/** Removes the query. It may identify a person, and somebody else may use the browser next. */
function withoutQuery([event, atMs]: Waiting): Waiting {
  const [url] = 'url' in event ? event.url.split(/[?#]/) : []
  return [url === undefined ? event : ({ ...event, url } as LoadEvent), atMs]
}
