import type { Responding, ServerRequest } from '../../http/response.ts'

/**
 * Follows the requests of a server and their steps, for example to create spans or to measure
 * durations. It never decides what a client gets, so responses stay cacheable for everybody.
 *
 * The observer's functions run in the async context of the code that they observe, and must not
 * throw. They don't run for files, or for pages that a host sends without the handler.
 */
export type ServerObserver = {
  /**
   * Returns false while the observer has nothing to do. The server then sends stored pages without
   * the handler. Default: always active.
   */
  isActive?(): boolean
  /**
   * Runs around each request.
   * @param run responds to the request. Never throws or rejects
   * @returns the response of `run`. Its body may be wrapped with `followBody`
   */
  request(request: ServerRequest, run: () => Responding): Responding
  /**
   * Runs around a step of a request. A step may run again, for example if React calls a layout
   * again after it has suspended.
   * @param run throws or rejects if the step fails, or with a signal such as `notFound()`
   * @returns the result of `run`. Must throw what `run` throws
   */
  step<Result>(step: ServerStep, run: () => Result): Result
  /** Called when the current request's URL has been matched to a route. */
  matched?(match: ObservedMatch): void
  /** Called when an error of the current request gets its digest. */
  failed?(thrown: unknown, digest: string): void
}

/** A step of a request. Files are paths below the `app` folder, such as `blog/page.tsx`. */
export type ServerStep =
  /**
   * `metadata` is all functions of a page that generate metadata. `html` ends when the shell of the
   * document is complete. `after` is a task of `after()`.
   */
  | { readonly kind: 'proxy' | 'metadata' | 'html' | 'after' }
  /** `guard` is a layout or page that runs only to decide if the request passes. */
  | { readonly kind: 'layout' | 'page' | 'guard' | 'route-handler'; readonly file: string }
  | { readonly kind: 'action'; readonly id: string }
  | CachedStep

/** A call of a cached function. */
export type CachedStep = {
  readonly kind: 'cached'
  readonly id: string
  /** Set before the step ends; `null` if reading the cache failed. */
  result: 'hit' | 'stale' | 'miss' | null
}

export type ObservedMatch = {
  /** Pattern of the route, such as `/blog/[slug]`; `null` if no route matches. */
  readonly pattern: string | null
  /** The kind of response that the client asked for. `call` is an action called by a script. */
  readonly kind: 'document' | 'data' | 'prefetch' | 'call'
}

/** Runs a step, with the observer around it if the app has one. */
export function observed<Result>(
  observer: ServerObserver | null,
  step: ServerStep,
  run: () => Result,
): Result {
  return observer === null ? run() : observer.step(step, run)
}
