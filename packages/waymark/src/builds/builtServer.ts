import type { Handle, HeaderLines } from '../http/response.ts'
import type { BuiltPages, FindCached } from './cachedPage.ts'

/** The exports of a built server, `.waymark/rsc/index.js`, for any runtime. */
export type BuiltServer = {
  /** Responds to a request. Never rejects: a failure is a response, too. */
  readonly handle: Handle
  readonly basePath: string
  readonly trailingSlash: boolean
  /**
   * Hosts that the app responds under; `null` for every host. A host gives other requests a 400
   * before anything else, but for health checks: see `createHostCheck()`.
   */
  readonly allowedHosts: readonly string[] | null
  /** Builds the body of a refusal, without the app's code: HTML or JSON, as the client prefers. */
  readonly screen: (
    status: number,
    headers: { get(name: string): string | null },
  ) => { readonly type: string; readonly text: string }
  /** Headers of responses that do not come from the handler. */
  readonly defaultHeaders: HeaderLines
  /** Runs `instrumentation.ts` once, before the first request. Never rejects. */
  register(): Promise<void>
  /**
   * Tells the server which pages and files the build holds, before the first request. The server
   * then names them in its responses (`HandlerResponse.prerendered`) instead of rendering them.
   */
  attachBuilt(pages: BuiltPages): void
  /** Tells whether proxy.ts is asked before a file of `public/` is sent. */
  isProxiedFile(pathname: string): boolean
  /** Finds a fresh page in the memory of the server, by the target of its request. */
  readonly findCached: FindCached
  /**
   * Reads the secrets of the app from the environment and the build, newest first. Call it before
   * the first request, so that a host with a wrong environment does not start.
   * @throws `ACTION_SECRET` if the app has no secret, or one of them is shorter than 32 characters
   */
  appSecrets(): readonly [string, ...string[]]
  /** Writes an error that no request caused into the journal. @returns its digest */
  reportOutside(thrown: unknown): string
}
