import { resetEvent, type StreamEvent } from '../shared/streamEvents.ts'

/** A channel that sends events to all subscribers in this process. */
export type Channel<Data> = {
  /**
   * Sends data to all subscribers.
   * @param event name of the event; default `message`
   * @returns the id of the event
   */
  publish(data: Data, event?: string): string
  /**
   * Returns the id of the last event. A page that renders now shows the data up to this position.
   */
  position(): string
  /**
   * Follows events, from `since` or from now on.
   * @param from `since`: the client's position; `signal` ends the subscription
   */
  subscribe(from?: ChannelPosition): AsyncIterable<StreamEvent>
}

type ChannelPosition = {
  readonly since?: string | null | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Creates a channel in this process's memory. A client that reconnects gets the events that it has
 * missed. If some of them are gone, it gets an event named `reset` instead.
 * @param options `keep`: number of events to remember; default 100
 * @example const messages = createChannel<Message>() export const GET = stream((request, { since,
 * signal }) => messages.subscribe({ since, signal }))
 */
export function createChannel<Data = unknown>({ keep = 100 } = {}): Channel<Data> {
  const history: StreamEvent[] = []
  const waiting = new Set<() => void>()
  let published = 0
  // Prefix of this process's positions, which differ from those before a restart. Created on first
  // use, because Workers have no random values at startup.
  let run: string | undefined
  const idOf = (count: number) => {
    run ??= crypto.randomUUID().slice(0, 8)
    return `${run}-${count}`
  }

  /**
   * @returns the number of events that a client has seen; -1 for a position from before a restart
   */
  function countOf(position: string): number {
    const count = Number(position.slice(position.indexOf('-') + 1))
    const isOfThisRun =
      Number.isSafeInteger(count) && count <= published && position === idOf(count)
    return isOfThisRun ? count : -1
  }

  function nextPublished(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        waiting.delete(wake)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      waiting.add(wake)
      signal?.addEventListener('abort', wake)
    })
  }

  async function* follow(seen: number, signal: AbortSignal | undefined) {
    while (!signal?.aborted) {
      if (seen === published) await nextPublished(signal)
      // The subscriber has missed events that are gone, perhaps because it reads more slowly than
      // others publish.
      else if (seen < published - history.length) {
        seen = published
        yield { id: idOf(seen), event: resetEvent, data: null }
      } else yield history[history.length - (published - seen++)] as StreamEvent
    }
  }

  return {
    publish(data, event = 'message') {
      const id = idOf(++published)
      history.push({ id, event, data })
      if (history.length > keep) history.shift()
      for (const wake of [...waiting]) wake()
      return id
    },
    position: () => idOf(published),
    subscribe: ({ since = null, signal } = {}) =>
      follow(since === null ? published : countOf(since), signal),
  }
}
