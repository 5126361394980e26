import { resetEvent, type StreamEvent } from '../shared/streamEvents.ts'

export type Channel<Data> = {
  /** Sends data to all who subscribe. @param event its name, `message` without one @returns its id */
  publish(data: Data, event?: string): string
  /** The id of the last event: what a page shows is as of this position. */
  position(): string
  /**
   * Follows what is published, from `since` or from now on.
   * @param from `since` of a client, and the signal that ends it
   */
  subscribe(from?: ChannelPosition): AsyncIterable<StreamEvent>
}

type ChannelPosition = {
  readonly since?: string | null | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Creates a topic in the memory of this process. Who comes back gets what was published since; where
 * that is gone, an event `reset`.
 * @param options `keep`: how many events it holds; default 100
 */
export function createChannel<Data = unknown>({ keep = 100 } = {}): Channel<Data> {
  const history: StreamEvent[] = []
  const waiting = new Set<() => void>()
  let published = 0
  // Positions of before a restart are of another run. Workers have no random values at their start.
  let run: string | undefined
  const idOf = (count: number) => {
    run ??= crypto.randomUUID().slice(0, 8)
    return `${run}-${count}`
  }

  /** @returns how many events a client has seen; -1 for a position of another run */
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
      // Also for a subscriber that reads slower than others publish.
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
