/** Source of the page on the screen, and the time at which the page was saved. */
export type Arrival = {
  readonly from: 'network' | 'saved'
  /** Milliseconds since the epoch at which the page was saved; `null` for a page from the network. */
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

/** Arrival of the page on the screen. The client sets it and components read it. */
export const pageArrival = createArrival()
