import { parseTarget } from '../../routing/canonicalUrl.ts'
import { privateNoStore } from '../../shared/cacheControl.ts'
import { payloadUrl } from '../../shared/protocol.ts'
import type { HandlerResponse, HeaderLines } from '../../shared/response.ts'
import { noPageData } from './readRequest.ts'

/**
 * Answers with a redirect. Page data redirects to page data, so that the browser can follow it
 * without leaving its document. To what is no page of this site it has to go itself: a script
 * could not follow it to another site, nor be told of a hash.
 */
export function redirectResponse(
  { status, location }: { readonly status: number; readonly location: string },
  kind: 'document' | 'data',
): HandlerResponse {
  const target = kind === 'data' ? dataLocation(location) : location
  if (target === null) return noPageData
  // Decided for one request, as a page is; where it is cached for all, that line gives way.
  const headers: HeaderLines = [['location', target], ...privateNoStore]
  return { status, headers, body: null }
}

function dataLocation(location: string): string | null {
  if (location.startsWith('//')) return null
  const target = parseTarget(location)
  // Another form of a path is redirected once more: that can be spared.
  const canonical = target.kind === 'redirect' ? parseTarget(target.location) : target
  return canonical.kind === 'ok' ? payloadUrl(canonical.pathname, canonical.search) : null
}
