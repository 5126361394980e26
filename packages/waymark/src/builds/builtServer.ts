import type { Handle, HeaderLines } from '../http/response.ts'
import type { BuiltPages, FindCached } from './cachedPage.ts'

/** How long, and how many, requests may wait while a process is overloaded. */
export type LoadShedding = {
  /**
   * Milliseconds that a request may wait before it starts. In the first second of an overload, it may
   * wait twice as long. Default: 200.
   */
  readonly maxQueueMs?: number | undefined
  /** Maximum number of requests that wait. Default: 1,000. */
  readonly maxQueued?: number | undefined
}

/** Exports of a built server (`.waymark/rsc/index.js`), which works in any runtime. */
export type BuiltServer = {
  /** Responds to a request. Never rejects, because failures become responses. */
  readonly handle: Handle
  readonly basePath: string
  readonly trailingSlash: boolean
  /**
   * Hostnames that the app serves; `null` for all. For any other hostname, the host must respond
   * with 400 before it does anything else, except to health checks. See `createHostCheck()`.
   */
  readonly allowedHosts: readonly string[] | null
  /** Limits for an overloaded server, for `createNodeServer()`. */
  readonly loadShedding?: LoadShedding | false | undefined
  /** Builds the HTML or JSON body for a refused request, depending on `accept`, without running the app's code. */
  readonly screen: (
    status: number,
    headers: { get(name: string): string | null },
  ) => { readonly type: string; readonly text: string }
  /** Headers for responses that don't come from the handler. */
  readonly defaultHeaders: HeaderLines
  /** Runs `instrumentation.ts` once, before the first request. Never rejects. */
  register(): Promise<void>
  /**
   * Tells the server which pages and files the build contains. Call it before the first request.
   * The server then refers to prerendered files in its responses (`HandlerResponse.prerendered`)
   * instead of rendering the pages.
   */
  attachBuilt(pages: BuiltPages): void
  /** Returns true if proxy.ts runs before this file in `public/` is sent. */
  isProxiedFile(pathname: string): boolean
  /** Finds a fresh page in the server's memory by the request's target. */
  readonly findCached: FindCached
  /**
   * Reads the app's secrets from the environment and the build, newest first. Call it before the
   * first request, so that a host with a wrong environment fails at startup.
   *
   * @throws `ACTION_SECRET` if the app has no secret, or if a secret is shorter than 32 characters
   */
  appSecrets(): readonly [string, ...string[]]
  /**
   * Records an error in the journal that didn't occur in a request.
   * @returns the digest of the error
   */
  reportOutside(thrown: unknown): string
}
