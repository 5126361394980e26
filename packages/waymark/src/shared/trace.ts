/** What the framework tells of itself in development; `devtools/events.ts` adds when and where. */
export type TracedEvent =
  /** A step of a request has ended. */
  | { readonly type: 'step'; readonly step: TracedStep; readonly durationMs: number }
  /** The route of a request; `null` where none matches. */
  | { readonly type: 'match'; readonly pattern: string | null }
  /** A read of a cached function, by its id; `reason` says why it was no hit. */
  | {
      readonly type: 'cache'
      readonly id: string
      readonly result: 'hit' | 'stale' | 'miss' | 'bypass'
      readonly reason: string | null
      readonly durationMs: number
    }
  /** A navigation has started, or its state has changed; the load of a document is one, too. */
  | {
      readonly type: 'navigation'
      readonly state: 'start' | 'loading' | 'slow' | 'late' | 'failed' | 'idle'
      readonly url: string
      readonly kind: string
      /** Once it is idle: `committed`, `canceled`, `superseded`, `document`, `failed`. */
      readonly outcome: string | null
    }
  /** What a navigation waits for has come. */
  | {
      readonly type: 'arrived'
      readonly what: 'data' | 'code' | 'styles'
      readonly durationMs: number
    }
  /** `use`: what it has brought is shown; `waste`: it never was, and is not fresh any more. */
  | {
      readonly type: 'prefetch'
      readonly state: 'send' | 'fetch' | 'nothing' | 'fail' | 'use' | 'waste'
      readonly url: string
      readonly bytes: number
    }
  /** The time of a navigation is over. */
  | { readonly type: 'deadline'; readonly url: string }
  /** What has failed so often is requested again; `reason` is the name of the error. */
  | { readonly type: 'retry'; readonly failures: number; readonly reason: string }
  /** A call of an action: sent, or ended with an outcome. */
  | { readonly type: 'action'; readonly id: string; readonly outcome: string | null }
  /** What was thrown, by its digest: the journal has the rest. */
  | { readonly type: 'error'; readonly digest: string }

/** `render` ends when the guards of a page have run and its status is known. */
export type TracedStep = 'proxy' | 'match' | 'render' | 'html'

/** Records what is traced. */
export type Tracer = {
  record(event: TracedEvent): void
  /** In a browser: the load that is going on. */
  readonly load: () => string | null
}

let tracer: Tracer | null = null

/** Sets what records the events, in development only. */
export function attachTracer(given: Tracer): void {
  tracer = given
}

/**
 * Tells an event. Callers ask `import.meta.env.DEV` first: a build then has neither the call nor
 * its texts.
 */
export function trace(event: TracedEvent): void {
  tracer?.record(event)
}

/** Header of a browser's requests in development: the load that they belong to. */
export const loadHeader = 'waymark-load'

/** The headers by which the dev server knows the load of a request. */
export function loadHeaders(): Record<string, string> {
  const load = tracer?.load() ?? null
  return load === null ? {} : { [loadHeader]: load }
}

/** Reads the load that a browser names. @returns `null` where it is none of ours */
export function parseLoad(header: unknown): string | null {
  return typeof header === 'string' && /^[\w-]{4,40}$/.test(header) ? header : null
}

/** @returns a URL as it may be recorded: the values of its query are cut */
export function withoutValues(url: string): string {
  const [path = '', query] = url.split('#', 1)[0]?.split(/\?(.*)/s, 2) ?? []
  if (!query) return path
  const names = query.split('&').map((pair) => pair.split('=', 1)[0])
  return `${path}?${names.map((name) => `${name}=…`).join('&')}`
}

/** Times of one request: in development, and in production for the access log. */
export type Timings = {
  /** @returns ends the step; steps of one name are added up */
  start(step: TracedStep): () => void
  /** The route is known. */
  matched(pattern: string | null): void
  /** Its pattern, `null` where none matches; `undefined` until it is known. */
  route(): string | null | undefined
  /** Milliseconds of the steps that have ended, by name. */
  phases(): Readonly<Record<string, number>>
  /** The value of a `Server-Timing` header: what has ended so far, and the whole. */
  header(): string
}

/**
 * Makes the times of a request that begins now.
 * @param now milliseconds, of a clock that is not set back
 * @see W3C Server Timing §3.2
 */
export function createTimings(now: () => number = () => performance.now()): Timings {
  const beganAtMs = now()
  const durations = new Map<string, number>()
  let route: string | null | undefined
  return {
    start(step) {
      const startedAtMs = now()
      return () => {
        const durationMs = now() - startedAtMs
        durations.set(step, (durations.get(step) ?? 0) + durationMs)
        trace({ type: 'step', step, durationMs })
      }
    },
    matched(pattern) {
      route = pattern
      trace({ type: 'match', pattern })
    },
    route: () => route,
    phases: () => Object.fromEntries(durations),
    header() {
      const all = [...durations, ['total', now() - beganAtMs] as const]
      return all.map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`).join(', ')
    },
  }
}
