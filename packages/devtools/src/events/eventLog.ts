import type { DevEvent } from './events.ts'

/** The latest events of a dev server. */
export type EventLog = ReturnType<typeof createEventLog>

export type EventLimits = {
  readonly maxEvents: number
  /** Largest total size of the events as JSON. */
  readonly maxBytes: number
}

/** An event with its position in the log, starting at 1. */
export type LoggedEvent = { readonly seq: number; readonly event: DevEvent }

type Logged = LoggedEvent & { readonly bytes: number }

const defaultLimits: EventLimits = { maxEvents: 2_000, maxBytes: 1_000_000 }

/** Creates a log that drops its oldest events when a limit is exceeded. */
export function createEventLog({ maxEvents, maxBytes }: EventLimits = defaultLimits) {
  const logged: Logged[] = []
  const listeners = new Set<(logged: LoggedEvent) => void>()
  let seq = 0
  let bytes = 0

  return {
    add(event: DevEvent): void {
      const added = { seq: ++seq, event, bytes: JSON.stringify(event).length }
      if (added.bytes > maxBytes) return
      logged.push(added)
      bytes += added.bytes
      while (logged.length > maxEvents || bytes > maxBytes) bytes -= logged.shift()?.bytes ?? 0
      for (const listener of listeners) listener(added)
    },
    /** Returns all events, oldest first. */
    list: (): readonly DevEvent[] => logged.map(({ event }) => event),
    /** Returns the events after a position in the log. */
    since: (place: number): readonly LoggedEvent[] => logged.filter(({ seq }) => seq > place),
    /** Returns the position of the latest event. */
    last: () => seq,
    /** Calls the listener for each new event. @returns a function that ends the subscription */
    subscribe(listener: (logged: LoggedEvent) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
