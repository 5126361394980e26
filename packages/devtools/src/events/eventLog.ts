import type { DevEvent } from './events.ts'

/** The latest events of a dev server. */
export type EventLog = ReturnType<typeof createEventLog>

export type EventLimits = {
  readonly maxEvents: number
  /** Of the events as JSON. */
  readonly maxBytes: number
}

/** An event with its place in the log, counted from one. */
export type LoggedEvent = { readonly seq: number; readonly event: DevEvent }

type Logged = LoggedEvent & { readonly bytes: number }

const defaultLimits: EventLimits = { maxEvents: 2_000, maxBytes: 1_000_000 }

/** Creates a log that drops the oldest events once it has too many. */
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
    /** What is there, the oldest first. */
    list: (): readonly DevEvent[] => logged.map(({ event }) => event),
    /** What came after a place. */
    since: (place: number): readonly LoggedEvent[] => logged.filter(({ seq }) => seq > place),
    /** The place of the latest one. */
    last: () => seq,
    /** Calls back with each event to come. @returns ends it */
    subscribe(listener: (logged: LoggedEvent) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
