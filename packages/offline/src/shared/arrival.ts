/** Where the page on the screen has come from, and when it was current. */
export type Arrival = {
  readonly from: 'network' | 'saved'
  /** Milliseconds since the epoch; `null` for a page of the network. */
  readonly atMs: number | null
}

export const fromNetwork: Arrival = { from: 'network', atMs: null }

function createArrival() {
  const listeners = new Set<() => void>()
  let arrival = fromNetwork
  return {
    get: () => arrival,
    set(savedAtMs: number | null): void {
      if (savedAtMs === arrival.atMs) return
      arrival = savedAtMs === null ? fromNetwork : { from: 'saved', atMs: savedAtMs }
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Of the page on the screen: the client sets it, components read it. */
export const pageArrival = createArrival()
