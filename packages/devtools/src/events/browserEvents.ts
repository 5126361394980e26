import { type DevEvent, eventsPath } from './events.ts'

/** The events of an app in development, as a page sees them: its own, and those of the server. */
export type BrowserEvents = ReturnType<typeof createBrowserEvents>

type EventWindow = Window & { readonly waymarkEvents?: readonly DevEvent[] }

const maxEvents = 2_000

/** Creates the view of all events; the first subscriber connects to the server. */
export function createBrowserEvents(view: EventWindow, basePath = '') {
  const eventsById = new Map<string, DevEvent>()
  const listeners = new Set<(event: DevEvent) => void>()
  let source: EventSource | null = null

  function add(event: DevEvent): void {
    // The server sends back what this page has told.
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
    /** All that is known, the oldest first. */
    events: (): readonly DevEvent[] => [...eventsById.values()].sort((a, b) => a.at - b.at),
    /** Calls back with each event to come. @returns ends it */
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

/** A server that says nothing for so long is not waited for. */
const connectWithinMs = 2_000
/** All that the server has so far comes at once. */
const settleMs = 50

export type LiveEvents = ReturnType<typeof createLiveEvents>

/** The events that tabs show; connected from the first tab that asks on, until the panel closes. */
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
    /** How many have come: another number means something new. */
    count: () => count,
    stop: () => unsubscribe(),
  }
}
