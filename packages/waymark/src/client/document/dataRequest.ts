import { withBasePath, withoutBasePath } from '../../shared/basePath.ts'
import { nonceHeader, pagePathnameOf, payloadUrl } from '../../wire/protocol.ts'
import { documentNonce } from './documentStream.ts'

/** A URL as documents have it: with a slash at the end only where the app's URLs have one. */
export function canonicalUrl(original: URL): URL {
  const url = new URL(original)
  const path = withoutBasePath(url.pathname) ?? url.pathname
  url.pathname = withBasePath(path.replace(/(.)\/+$/, '$1'))
  return url
}

/**
 * The URL from which the router requests the data of a page: a path with the query, below the app's
 * base path.
 */
export function pageDataUrl({ pathname, search }: { pathname: string; search: string }): string {
  return withBasePath(payloadUrl(withoutBasePath(pathname) ?? pathname, search))
}

/** The inverse of `pageDataUrl`; `null` for what is no page data. */
export function pageOfDataUrl(pathname: string): string | null {
  const page = pagePathnameOf(withoutBasePath(pathname) ?? '')
  return page === null ? null : withBasePath(page)
}

/** Headers with the document's nonce, which inline styles of the response must carry to apply. */
export function nonceHeaders(): Record<string, string> {
  const nonce = documentNonce()
  return nonce ? { [nonceHeader]: nonce } : {}
}
