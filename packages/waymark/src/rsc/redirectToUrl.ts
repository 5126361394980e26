import { alwaysRevalidated, privateNoStore } from '../builds/cacheControl.ts'
import type { HandlerResponse, HeaderLines, ServerRequest } from '../http/response.ts'
import { withBasePath } from '../shared/basePath.ts'
import type { HandlerApp } from './handlerApp.ts'
import { redirectResponse } from './page/pageResponse.ts'
import { isRead, type PageTarget } from './request/readRequest.ts'
import { runsForRequests } from './request/requestDependence.ts'

/**
 * Redirects a request to the only URL of its page, or to the URL that a package chooses for the
 * visitor.
 * @returns `null` if the URL is right, or if neither URL has a route
 */
export function redirectToUrl(
  { kind, pathname, search }: PageTarget,
  request: ServerRequest,
  app: HandlerApp,
): HandlerResponse | null {
  const { routeUrls, matcher, buildId } = app
  if (routeUrls === null || !isRead(request)) return null
  const chosen = routeUrls.choose?.(pathname, request.headers) ?? null
  const url = chosen ?? routeUrls.toUrl(routeUrls.toRoute(pathname))
  if (url === pathname || matcher.match(url) === null) return null
  const status = chosen === null ? 308 : 307
  if (kind === 'data') return redirectResponse({ status, location: url + search }, kind, buildId)
  const headers: HeaderLines = [['location', withBasePath(url) + search]]
  // If app code decides about requests, no cache may store the redirect, although its location
  // depends only on the URL. Other redirects are revalidated, because the next build may give the
  // page a different URL, and browsers keep a 308 without `cache-control` for good.
  const isPrivate = chosen !== null || runsForRequests(app)
  headers.push(...(isPrivate ? privateNoStore : alwaysRevalidated))
  if (chosen !== null) headers.push(['vary', 'accept-language, cookie'])
  return { status, headers, body: null }
}
