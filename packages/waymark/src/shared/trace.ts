/** What the framework tells of itself in development; `devtools/events.ts` adds when and where. */
export type TracedEvent =
  /** How long a step of a request took; `gate` ends when the status is known: guards have run. */
  | { readonly type: 'step'; readonly step: TracedStep; readonly durationMs: number }
  /** The route of a request; `null` where none matches. */
  | { readonly type: 'match'; readonly pattern: string | null }
  /** A read of a cached function; `reason` says why it was no hit. */
  | {
      readonly type: 'cache'
      readonly key: string
      readonly result: 'hit' | 'stale' | 'miss' | 'bypass'
      readonly reason: string | null
      readonly durationMs: number
    }
  /** A navigation has begun, or its state has changed. */
  | {
      readonly type: 'navigation'
      readonly state: 'loading' | 'slow' | 'late' | 'failed' | 'idle'
      readonly url: string
      readonly kind: string
      /** Once it has ended: `committed`, `canceled`, `superseded`, `document`, `failed`. */
      readonly outcome: string | null
    }
  /** What a navigation waits for has come. */
  | {
      readonly type: 'arrived'
      readonly what: 'data' | 'assets' | 'commit'
      readonly durationMs: number
    }
  /** `use`: what it brought is shown; `waste`: it never was, and is not fresh any more. */
  | {
      readonly type: 'prefetch'
      readonly state: 'send' | 'fetch' | 'use' | 'waste' | 'refuse'
      readonly url: string
      readonly bytes: number
    }
  /** The time of a navigation is over. */
  | { readonly type: 'deadline'; readonly url: string }
  /** What has failed is requested again. */
  | { readonly type: 'retry'; readonly failures: number; readonly reason: string }
  /** A call of an action; `outcome` once it has one. */
  | {
      readonly type: 'action'
      readonly id: string
      readonly outcome: string | null
      readonly durationMs: number | null
    }
  /** What was thrown, by its digest: the journal has the rest. */
  | { readonly type: 'error'; readonly digest: string }

export type TracedStep = 'proxy' | 'match' | 'gate' | 'html'
