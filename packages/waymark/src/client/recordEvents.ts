import { attachTracer, parseLoad, type TracedEvent, withoutValues } from '../shared/trace.ts'

/** An event as the dev server and the panel get it. */
type BrowserEvent = TracedEvent & {
  readonly id: string
  readonly at: number
  readonly load: string
  readonly side: 'browser'
}

/** Name of the event on the window, and of the message to the dev server. */
const eventName = 'waymark:event'
const maxEvents = 500

/**
 * Records what happens in a document, in development: the latest events are in `waymarkEvents` of
 * its window, and each goes to the dev server by the connection that brings updates.
 */
export function recordEvents(view: Window): void {
  const newId = () => Math.random().toString(36).slice(2, 12).padEnd(4, '0')
  const documentId = newId()
  let load = documentLoad(view) ?? documentId
  let count = 0
  const events: BrowserEvent[] = []
  Object.assign(view, { waymarkEvents: events })

  function record(traced: TracedEvent): void {
    if (traced.type === 'navigation' && traced.state === 'start' && count > 0) load = newId()
    const cut = 'url' in traced ? { ...traced, url: withoutValues(traced.url) } : traced
    const own = { id: `${documentId}-${count++}`, at: Date.now(), load, side: 'browser' as const }
    const event = { ...cut, ...own }
    if (events.push(event) > maxEvents) events.shift()
    view.dispatchEvent(new CustomEvent(eventName, { detail: event }))
    import.meta.hot?.send(eventName, event)
  }

  attachTracer({ record, load: () => load })
  const ofDocument = { type: 'navigation', url: view.location.href, kind: 'document' } as const
  record({ ...ofDocument, state: 'start', outcome: null })
  const ended = () => record({ ...ofDocument, state: 'idle', outcome: 'committed' })
  view.addEventListener('load', ended, { once: true })
}

/** The load that the server counted the document to: `Server-Timing` names it. */
function documentLoad(view: Window): string | null {
  const [entry] = view.performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const named = entry?.serverTiming?.find(({ name }) => name === 'load')
  return parseLoad(named?.description)
}
