/** What can go wrong with one response on its way to the browser. Bytes count those of the body. */
export type Fault =
  /** Never answered. */
  | { readonly kind: 'hang' }
  /** Answered late, then as it is. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The connection is reset before the first byte. */
  | { readonly kind: 'reset' }
  /** The server has done what was asked, and the connection is reset before any of its response. */
  | { readonly kind: 'unheard' }
  /** The body trickles. */
  | { readonly kind: 'slow'; readonly bytesPerSecond: number }
  /** The head and the first bytes arrive, then nothing more. */
  | { readonly kind: 'stall'; readonly afterBytes: number | 'first-chunk' }
  /** The body ends early: as if it were whole, or by a reset. */
  | { readonly kind: 'cut'; readonly afterBytes: number; readonly ending: 'clean' | 'reset' }
  /** The request's body is cut at a byte, below zero counted from its end; so are both connections. */
  | { readonly kind: 'cut-request'; readonly atByte: number }
  /** One byte is another one: counted from the body's start, or the first after a row's colon. */
  | { readonly kind: 'corrupt'; readonly at: { readonly byte: number } | { readonly row: number } }
  /** The last 200 bytes come late, and one of them is another one: `byte` counts from the end. */
  | { readonly kind: 'corrupt-late'; readonly ms: number; readonly byte: number }
  /** The response to another request takes its place, as from a cache with a wrong key. */
  | { readonly kind: 'swap'; readonly path: string }
  /** What is given replaces what the server sent; with a body, the server is not asked. */
  | {
      readonly kind: 'replace'
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }

/** A request, as the predicate of a fault sees it. */
export type ProxiedRequest = {
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A fault that is switched on. */
export type FaultRule = {
  /** How many requests it has hit. */
  readonly hits: number
  /** Switches it off; what hangs because of it goes on hanging. */
  remove(): void
}

/** @see createFaultRules */
export type FaultRules = {
  /**
   * Switches a fault on.
   * @param match all requests when left out
   * @param times how many requests it hits before it is off; no limit when left out
   */
  inject(
    fault: Fault,
    options?: { match?: (request: ProxiedRequest) => boolean; times?: number },
  ): FaultRule
  /** The fault for a request, counted as a hit; the one switched on last wins. */
  take(request: ProxiedRequest): Fault | null
  /** Switches all off. */
  clear(): void
}

type Entry = {
  fault: Fault
  match: (request: ProxiedRequest) => boolean
  left: number
  hits: number
}

/** The faults that are switched on, and how often each has hit. */
export function createFaultRules(): FaultRules {
  let entries: readonly Entry[] = []
  return {
    inject(fault, { match = () => true, times = Number.POSITIVE_INFINITY } = {}) {
      const entry = { fault, match, left: times, hits: 0 }
      entries = [entry, ...entries]
      return {
        get hits() {
          return entry.hits
        },
        remove() {
          entries = entries.filter((other) => other !== entry)
        },
      }
    },
    take(request) {
      const entry = entries.find(({ left, match }) => left > 0 && match(request))
      if (!entry) return null
      entry.left -= 1
      entry.hits += 1
      return entry.fault
    },
    clear() {
      entries = []
    },
  }
}
