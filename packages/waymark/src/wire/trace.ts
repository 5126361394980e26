/**
 * Events of a page load. They are recorded in development, and in production if a package listens
 * with `onEvent`. In production, browsers record all events except `prefetch` and `error`. The
 * server's events (`step`, `match` and `cache`) are only recorded in development.
 */
export type TracedEvent =
  | { readonly type: 'step'; readonly step: TracedStep; readonly durationMs: number }
  /** The URL was matched to a route. `pattern` is `null` if no route matches. */
  | { readonly type: 'match'; readonly pattern: string | null }
  /** A cached function was read; `id` is the function's. `reason` explains a miss. */
  | {
      readonly type: 'cache'
      readonly id: string
      readonly result: 'hit' | 'stale' | 'miss' | 'bypass'
      readonly reason: string | null
      readonly durationMs: number
    }
  /** A navigation started or changed state. Loading a document counts as a navigation. */
  | {
      readonly type: 'navigation'
      readonly state: 'start' | 'loading' | 'slow' | 'late' | 'failed' | 'idle'
      readonly url: string
      readonly kind: string
      /**
       * Outcome of the navigation, set once the state is `idle`: `committed`, `canceled`,
       * `superseded`, `document` or `failed`.
       */
      readonly outcome: string | null
    }
  | {
      readonly type: 'arrived'
      readonly what: 'data' | 'code' | 'styles'
      readonly durationMs: number
    }
  /**
   * The response headers for a navigation's page data have arrived. An action or a prefetch may
   * have requested the data.
   */
  | { readonly type: 'fetched'; readonly status: number; readonly digest: string | null }
  /** A notice asks the user what to do. */
  | { readonly type: 'notice' }
  /** `use` means that a prefetched page was shown. `waste` means that it became stale before it was shown. */
  | {
      readonly type: 'prefetch'
      readonly state: 'send' | 'fetch' | 'nothing' | 'fail' | 'use' | 'waste'
      readonly url: string
      readonly bytes: number
    }
  | { readonly type: 'deadline'; readonly url: string }
  /** A request is retried. `reason` is the name of the error that caused the retry. */
  | { readonly type: 'retry'; readonly failures: number; readonly reason: string }
  /** An action was called (`outcome` is `null`) or ended with this outcome. */
  | { readonly type: 'action'; readonly id: string; readonly outcome: string | null }
  | { readonly type: 'error'; readonly digest: string }

/** Step of a request. `render` ends when the page's guards have run and its status is known. */
export type TracedStep = 'proxy' | 'match' | 'render' | 'html'

export type Tracer = {
  record(event: TracedEvent): void
  /** Returns the id of the current page load. Only set in browsers. */
  readonly load: () => string | null
}

let tracer: Tracer | null = null

/**
 * Sets the receiver of events. Used in development, and in browsers when a package listens with
 * `onEvent`.
 */
export function attachTracer(next: Tracer): void {
  tracer = next
}

/**
 * Records an event. Callers check `import.meta.env.DEV` first, or `WAYMARK_TRACED` in browsers, so
 * that builds without tracing can drop the call.
 */
export function trace(event: TracedEvent): void {
  tracer?.record(event)
}

/** In development, header with the id of the page load that sent the request. */
export const loadHeader = 'waymark-load'

export function loadHeaders(): Record<string, string> {
  const load = tracer?.load() ?? null
  return load === null ? {} : { [loadHeader]: load }
}

/** Parses the header with a page load's id. @returns `null` if the value isn't one */
export function parseLoad(header: unknown): string | null {
  return typeof header === 'string' && /^[\w-]{4,40}$/.test(header) ? header : null
}

export function withoutValues(url: string): string {
  const [path = '', query] = url.split('#', 1)[0]?.split(/\?(.*)/s, 2) ?? []
  if (!query) return path
  const names = query.split('&').map((pair) => pair.split('=', 1)[0])
  return `${path}?${names.map((name) => `${name}=…`).join('&')}`
}

/** Durations of one request, measured in development and for the access log in production. */
export type Timings = ReturnType<typeof createTimings>

/**
 * @param now returns the time of a monotonic clock in milliseconds
 * @see W3C Server Timing §3.2
 */
export function createTimings(now: () => number = () => performance.now()) {
  const beganAtMs = now()
  const durations = new Map<string, number>()
  let route: string | null | undefined
  return {
    start(step: TracedStep): () => void {
      const startedAtMs = now()
      return () => {
        durations.set(step, (durations.get(step) ?? 0) + now() - startedAtMs)
      }
    },
    matched(pattern: string | null): void {
      route = pattern
    },
    /** The matched route's pattern: `null` if none matched, `undefined` before matching. */
    route: () => route,
    phases: (): Readonly<Record<string, number>> => Object.fromEntries(durations),
    /** Builds the value of `Server-Timing` from the finished steps and the total. */
    header(): string {
      const all = [...durations, ['total', now() - beganAtMs] as const]
      return all.map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`).join(', ')
    },
  }
}

/** Also records a request's steps as events, in development. */
export function tracedTimings(timings: Timings): Timings {
  return {
    ...timings,
    start(step) {
      const end = timings.start(step)
      const startedAtMs = performance.now()
      return () => {
        end()
        trace({ type: 'step', step, durationMs: performance.now() - startedAtMs })
      }
    },
    matched(pattern) {
      timings.matched(pattern)
      trace({ type: 'match', pattern })
    },
  }
}
