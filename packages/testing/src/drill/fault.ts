/** A fault that breaks one response. Byte counts and offsets refer to the body. */
export type Fault =
  /** No response is ever sent. */
  | { readonly kind: 'hang' }
  /** The complete response is sent after a delay. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The connection is reset before the first byte. */
  | { readonly kind: 'reset' }
  /** The server handles the request, but the connection is reset before the response starts. */
  | { readonly kind: 'unheard' }
  /** The body is sent slowly. */
  | { readonly kind: 'slow'; readonly bytesPerSecond: number }
  /** The headers and the first bytes of the body are sent, and then nothing more. */
  | { readonly kind: 'stall'; readonly afterBytes: number | 'first-chunk' }
  /** The body ends early, either cleanly or with a reset of the connection. */
  | { readonly kind: 'cut'; readonly afterBytes: number; readonly ending: 'clean' | 'reset' }
  /**
   * The request's body ends at byte `atByte`, and both connections are closed. A negative number
   * counts from the end of the body.
   */
  | { readonly kind: 'cut-request'; readonly atByte: number }
  /**
   * One byte is changed: the byte at an offset in the body, or the first byte after the colon of a
   * Flight row.
   */
  | { readonly kind: 'corrupt'; readonly at: { readonly byte: number } | { readonly row: number } }
  /**
   * The last 200 bytes are sent late, and one of them is changed. `byte` counts from the end of the
   * body.
   */
  | { readonly kind: 'corrupt-late'; readonly ms: number; readonly byte: number }
  /** The response to a different request is sent, as if a cache had used a wrong key. */
  | { readonly kind: 'swap'; readonly path: string }
  /** Parts of the response are replaced. With a `body`, no request is sent to the server. */
  | {
      readonly kind: 'replace'
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }

/** A request, as the `match` function of a fault sees it. */
export type ProxiedRequest = {
  readonly method: string
  /** Path and query as the client sent them. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A fault that has been switched on. */
export type FaultRule = {
  /** Number of requests that the fault has affected. */
  readonly hits: number
  /** Switches the fault off. Requests that already hang continue to hang. */
  remove(): void
}

/** @see createFaultRules */
export type FaultRules = {
  /**
   * Switches a fault on.
   * @param options `match` selects the requests; default: all. `times` is the number of requests to
   * affect; default: no limit.
   */
  inject(
    fault: Fault,
    options?: { match?: (request: ProxiedRequest) => boolean; times?: number },
  ): FaultRule
  /**
   * Returns the fault for a request, and counts the request. If several faults match, the latest
   * one counts.
   */
  take(request: ProxiedRequest): Fault | null
  /** Switches all faults off. */
  clear(): void
}

type Entry = {
  fault: Fault
  match: (request: ProxiedRequest) => boolean
  left: number
  hits: number
}

/** Creates a list of active faults, which counts the requests that each has affected. */
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
