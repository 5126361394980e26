/**
 * Events of page loads, in development and in browsers. `onEvent` of a package gets the events of a
 * browser in development, and in the builds of an app that lists such a package; `prefetch` and
 * `error` in development alone. `step`, `match` and `cache` are of the server, in development.
 */
export type TracedEvent =
  | { readonly type: 'step'; readonly step: TracedStep; readonly durationMs: number }
  /** `null` without a matching route. */
  | { readonly type: 'match'; readonly pattern: string | null }
  /** A read of a cached function, by its id; `reason` explains a miss. */
  | {
      readonly type: 'cache'
      readonly id: string
      readonly result: 'hit' | 'stale' | 'miss' | 'bypass'
      readonly reason: string | null
      readonly durationMs: number
    }
  /** A navigation started or changed state; loading a document counts as one. */
  | {
      readonly type: 'navigation'
      readonly state: 'start' | 'loading' | 'slow' | 'late' | 'failed' | 'idle'
      readonly url: string
      readonly kind: string
      /** When idle: `committed`, `canceled`, `superseded`, `document`, `failed`. */
      readonly outcome: string | null
    }
  | {
      readonly type: 'arrived'
      readonly what: 'data' | 'code' | 'styles'
      readonly durationMs: number
    }
  /** The head of page data that a navigation waited for; it may be of an action, or a prefetch. */
  | { readonly type: 'fetched'; readonly status: number; readonly digest: string | null }
  /** A notice asks the person what to do. */
  | { readonly type: 'notice' }
  /** `use`: a prefetched page was shown; `waste`: it became stale unused. */
  | {
      readonly type: 'prefetch'
      readonly state: 'send' | 'fetch' | 'nothing' | 'fail' | 'use' | 'waste'
      readonly url: string
      readonly bytes: number
    }
  | { readonly type: 'deadline'; readonly url: string }
  /** `reason` is the name of the error that caused the retry. */
  | { readonly type: 'retry'; readonly failures: number; readonly reason: string }
  /** An action was called (`null`), or ended with an outcome. */
  | { readonly type: 'action'; readonly id: string; readonly outcome: string | null }
  | { readonly type: 'error'; readonly digest: string }

/** `render` ends when the page's guards have run and its status is known. */
export type TracedStep = 'proxy' | 'match' | 'render' | 'html'

export type Tracer = {
  record(event: TracedEvent): void
  /** The current load; in browsers only. */
  readonly load: () => string | null
}

let tracer: Tracer | null = null

/** In development, and in browsers for `onEvent` of packages. */
export function attachTracer(next: Tracer): void {
  tracer = next
}

/**
 * Callers test `import.meta.env.DEV` or, in browsers, `WAYMARK_TRACED` first, so that builds without
 * `onEvent` of a package drop the call.
 */
export function trace(event: TracedEvent): void {
  tracer?.record(event)
}

/** Load id of a browser's request, in development. */
export const loadHeader = 'waymark-load'

export function loadHeaders(): Record<string, string> {
  const load = tracer?.load() ?? null
  return load === null ? {} : { [loadHeader]: load }
}

/** @returns `null` for other values */
export function parseLoad(header: unknown): string | null {
  return typeof header === 'string' && /^[\w-]{4,40}$/.test(header) ? header : null
}

export function withoutValues(url: string): string {
  const [path = '', query] = url.split('#', 1)[0]?.split(/\?(.*)/s, 2) ?? []
  if (!query) return path
  const names = query.split('&').map((pair) => pair.split('=', 1)[0])
  return `${path}?${names.map((name) => `${name}=…`).join('&')}`
}

/** Durations of one request: in development, and in production for the access log. */
export type Timings = ReturnType<typeof createTimings>

/** @param now milliseconds of a monotonic clock. W3C Server Timing §3.2 */
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
    /** `null` without a match; `undefined` before matching. */
    route: () => route,
    phases: (): Readonly<Record<string, number>> => Object.fromEntries(durations),
    /** Value for `Server-Timing`: finished steps and the total. */
    header(): string {
      const all = [...durations, ['total', now() - beganAtMs] as const]
      return all.map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`).join(', ')
    },
  }
}

/** In development: records the steps of a request as events, too. */
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
