import { type DevEvent, eventsPath } from './events.ts'

/** An app's events in development, as a page sees them: the page's own and the server's. */
export type BrowserEvents = ReturnType<typeof createBrowserEvents>

type EventWindow = Window & { readonly waymarkEvents?: readonly DevEvent[] }

const maxEvents = 2_000

/** Creates a list of all events. The first subscriber opens the connection to the server. */
export function createBrowserEvents(view: EventWindow, basePath = '') {
  const eventsById = new Map<string, DevEvent>()
  const listeners = new Set<(event: DevEvent) => void>()
  let source: EventSource | null = null

  function add(event: DevEvent): void {
    // The server also sends back the events that this page has reported.
    if (eventsById.has(event.id)) return
    eventsById.set(event.id, event)
    const [oldest] = eventsById.keys()
    if (eventsById.size > maxEvents && oldest !== undefined) eventsById.delete(oldest)
    for (const listener of listeners) listener(event)
  }
  const onPageEvent = (event: Event) => add((event as CustomEvent<DevEvent>).detail)

  function connect(): void {
    for (const event of view.waymarkEvents ?? []) add(event)
    view.addEventListener('waymark:event', onPageEvent)
    source = new EventSource(basePath + eventsPath)
    source.onmessage = ({ data }) => add(JSON.parse(data))
  }

  return {
    /** Returns all events so far, oldest first. */
    events: (): readonly DevEvent[] => [...eventsById.values()].sort((a, b) => a.at - b.at),
    /** Calls the listener for each new event. @returns a function that ends the subscription */
    subscribe(listener: (event: DevEvent) => void): () => void {
      listeners.add(listener)
      if (source === null) connect()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        source?.close()
        source = null
        view.removeEventListener('waymark:event', onPageEvent)
      }
    },
  }
}

/** Milliseconds to wait for the server's first events. */
const connectWithinMs = 2_000
/** Milliseconds to wait for the server's earlier events, which arrive together. */
const settleMs = 50

export type LiveEvents = ReturnType<typeof createLiveEvents>

/**
 * Creates the events for the panel's tabs. Connects to the server for the first tab that needs
 * events, and disconnects when the panel is closed.
 */
export function createLiveEvents(view: Window, basePath: string) {
  let source: BrowserEvents | null = null
  let unsubscribe = () => {}
  let count = 0
  return {
    async list(): Promise<readonly DevEvent[]> {
      if (source === null) {
        source = createBrowserEvents(view, basePath)
        const connecting = source
        await new Promise<void>((resolve) => {
          setTimeout(resolve, connectWithinMs)
          unsubscribe = connecting.subscribe(({ side }) => {
            count += 1
            if (side === 'server') setTimeout(resolve, settleMs)
          })
        })
      }
      return source.events()
    },
    /** Returns the number of events so far, with which a tab notices new ones. */
    count: () => count,
    stop: () => unsubscribe(),
  }
}
