import { withBasePath, withoutBasePath } from '../../shared/basePath.ts'
import { nonceHeader, pagePathnameOf, payloadUrl } from '../../wire/protocol.ts'
import { documentNonce } from './documentStream.ts'

/**
 * Returns a URL in its canonical form, with a trailing slash only if the app's URLs have one.
 */
export function canonicalUrl(original: URL): URL {
  const url = new URL(original)
  const path = withoutBasePath(url.pathname) ?? url.pathname
  url.pathname = withBasePath(path.replace(/(.)\/+$/, '$1'))
  return url
}

/** Returns the URL of a page's data as a path with a query, below the app's base path. */
export function pageDataUrl({ pathname, search }: { pathname: string; search: string }): string {
  return withBasePath(payloadUrl(withoutBasePath(pathname) ?? pathname, search))
}

/** The inverse of `pageDataUrl`. Returns `null` for URLs that aren't URLs of page data. */
export function pageOfDataUrl(pathname: string): string | null {
  const page = pagePathnameOf(withoutBasePath(pathname) ?? '')
  return page === null ? null : withBasePath(page)
}

/**
 * Returns a header with the document's nonce. The server puts the nonce on inline styles in the
 * response, so that the browser applies them.
 */
export function nonceHeaders(): Record<string, string> {
  const nonce = documentNonce()
  return nonce ? { [nonceHeader]: nonce } : {}
}
