import { privateNoStore } from '../../builds/cacheControl.ts'
import { builtNotFound } from '../../builds/cachedPage.ts'
import { prefersJson } from '../../http/accept.ts'
import type { HandlerResponse, HeaderLines, ResponseBody } from '../../http/response.ts'
import { parseTarget } from '../../routing/canonicalUrl.ts'
import { withBasePath } from '../../shared/basePath.ts'
import { type RefusalCode, refusalStatuses } from '../../wire/actionResponse.ts'
import {
  buildHeader,
  documentHeader,
  payloadType,
  payloadUrl,
  prefetchHeader,
  probeBody,
  probeType,
  refusalHeader,
} from '../../wire/protocol.ts'
import type { Exchange } from '../request/exchange.ts'
import { isRead } from '../request/readRequest.ts'

/**
 * Returns the headers for page data. The data is private. The headers contain the build id, because
 * the page that reads the data may belong to a different build.
 */
export function pageDataHeaders(buildId: string, type: string | null = payloadType): HeaderLines {
  return [
    ...(type === null ? [] : [['content-type', type] as [string, string]]),
    ...privateNoStore,
    [buildHeader, buildId],
  ]
}

export const htmlType = 'text/html; charset=utf-8'

export function pageResponse(
  page: Pick<HandlerResponse, 'status' | 'headers'>,
  { buildId }: { readonly buildId: string },
  [type, body]: [type: string, body: ResponseBody],
): HandlerResponse {
  const { status } = page
  const headers: HeaderLines = [...pageDataHeaders(buildId, type), ...page.headers]
  // A fallback is either HTML or JSON, so caches must look at `accept`. RFC 9110 §12.5.5
  if (status >= 400) headers.push(['vary', 'accept'])
  return { status, headers, body }
}

export function toDataResponse(
  { status, headers }: Pick<HandlerResponse, 'status' | 'headers'>,
  { buildId }: { readonly buildId: string },
  body: Uint8Array,
) {
  const common = pageDataHeaders(buildId)
  const names = new Set(common.map(([name]) => name))
  const others = headers.filter(([name]) => !names.has(name.toLowerCase()))
  return { status, headers: [...common, ...others], body }
}

/**
 * Returns a response that makes the browser load the document. It isn't an error status, because
 * browsers log these in the console.
 */
export function noPageData(buildId: string): HandlerResponse {
  const headers: HeaderLines = [[documentHeader, '1'], ...pageDataHeaders(buildId, null)]
  return { status: 204, headers, body: null }
}

/** Refuses page data, because the requesting page was rendered for a different user. */
export function otherUserResponse(
  buildId: string,
  code: Extract<RefusalCode, 'stale' | 'other-user'>,
): HandlerResponse {
  const headers: HeaderLines = [[refusalHeader, code], ...pageDataHeaders(buildId, null)]
  return { status: refusalStatuses[code], headers, body: null }
}

export function probeResponse(buildId: string): HandlerResponse {
  return {
    status: 200,
    headers: pageDataHeaders(buildId, probeType),
    body: Buffer.from(probeBody()),
  }
}

/** Responds to a prefetch when there is nothing to show before the click. */
export function noPrefetchData(buildId: string): HandlerResponse {
  return { status: 204, headers: pageDataHeaders(buildId, null), body: null }
}

/**
 * Returns a redirect. A redirect of page data leads to the target's page data. If the location has
 * none, the browser has to load the document, because a script can't follow a redirect to a
 * different site and never sees the location's hash.
 */
export function redirectResponse(
  { status, location }: { readonly status: number; readonly location: string },
  kind: 'document' | 'data',
  buildId: string,
): HandlerResponse {
  if (kind === 'document') {
    return {
      status,
      headers: [['location', withBasePath(location)], ...privateNoStore],
      body: null,
    }
  }
  const target = dataLocation(location)
  if (target === null) return noPageData(buildId)
  return { status, headers: [['location', target], ...pageDataHeaders(buildId, null)], body: null }
}

function dataLocation(location: string): string | null {
  if (location.startsWith('//')) return null
  const target = parseTarget(location)
  // Redirect to the canonical location at once, which saves a second redirect.
  const canonical = target.kind === 'redirect' ? parseTarget(target.location) : target
  return canonical.kind === 'ok'
    ? withBasePath(payloadUrl(canonical.pathname, canonical.search))
    : null
}

// Response to a request for a missing icon. Browsers request icons automatically, and would log a
// 404 for each app without an icon.
export const noIcon: HandlerResponse = {
  status: 204,
  headers: [['cache-control', 'max-age=3600']],
  body: null,
}

/**
 * Responds to a URL without a route with the not-found document that the build rendered.
 * @returns `null` if there is no such document, or if the client wants page data, a prefetch or JSON
 */
export function builtNotFoundResponse(
  { destination, request }: Pick<Exchange, 'destination' | 'request'>,
  { hasBuiltNotFound }: { readonly hasBuiltNotFound: () => boolean },
): HandlerResponse | null {
  if (!hasBuiltNotFound() || !isRead(request)) return null
  if (destination.kind !== 'document' || destination.pathname === '/favicon.ico') return null
  if (request.headers.has(prefetchHeader) || prefersJson(request.headers.get('accept'))) return null
  return { status: 404, headers: [], body: null, prerendered: builtNotFound }
}
