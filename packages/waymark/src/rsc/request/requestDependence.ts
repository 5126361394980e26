import type { RequestScope } from './scope.ts'

/**
 * The complete list of code and data that can make two responses for the same URL differ:
 *
 * | | runs for a page, even a stored one | runs for a file of `public/` | makes the response private |
 * |---|---|---|---|
 * | `around()` of server.ts | always | no | unless it only observes |
 * | proxy.ts | if its matcher matches | if its matcher matches | always |
 * | request data: `cookies()`, `headers()`, `searchParams` … | no | no | once it is read |
 *
 * The page cache, static files, prerendering and static export call `runsForPage` or `runsForFile`
 * before they send a response without the handler. `dependsOnRequest` determines `cache-control`,
 * which shared caches, browsers and the service worker obey.
 */
export type RequestCode = {
  readonly around: object | null
  readonly proxy: {
    matches(pathname: string): boolean
    matchesFile(pathname: string): boolean
  } | null
}

/** True if app code has to run before a page, its data or a route handler's response is sent. */
export function runsForPage({ around, proxy }: RequestCode, pathname: string): boolean {
  return around !== null || proxy?.matches(pathname) === true
}

/** True if app code has to run before a file of `public/` is sent. */
export function runsForFile({ proxy }: RequestCode, pathname: string): boolean {
  return proxy?.matchesFile(pathname) === true
}

export function runsForRequests({ around, proxy }: RequestCode): boolean {
  return around !== null || proxy !== null
}

/**
 * Records that the response depends on its request. Does nothing during prerendering, where there
 * is no request.
 * @param reason the API or file that read the request
 */
export function markPerRequest(scope: RequestScope, reason: string): void {
  if (scope.phase !== 'prerender') scope.usage.reason ??= reason
}

/** True if only the client of this request may store the response. */
export function dependsOnRequest({ usage }: RequestScope): boolean {
  return usage.reason !== null
}
