/** Headers in which a browser tells which page has sent a request. A missing header is `null`. */
export type SourceHeaders = {
  /** Value of `Sec-Fetch-Site`. */
  readonly site: string | null
  /** Value of `Origin`. */
  readonly origin: string | null
}

/**
 * Finds out which page has sent a request. Every check against CSRF uses this function.
 * `Sec-Fetch-Site: same-origin` is proof: no script can set it, and the browser itself has compared
 * the origins along all redirects. `Origin` is less reliable. It is `null` for a form on a page
 * with the referrer policy `no-referrer`, and a proxy may have changed the host with which it is
 * compared. Browsers only send `Sec-Fetch-Site` to secure origins and localhost. `Origin` decides
 * if it is missing, or if it is `none`, which means that the user and not a page has started the
 * request.
 * @param serverOrigin scheme and host of this server; `null` if unknown
 * @returns `unknown` if both headers are missing, as from a program
 * @see Fetch Metadata §2.4; Fetch standard, "append a request Origin header"
 */
export function sourceOfRequest(
  { site, origin }: SourceHeaders,
  serverOrigin: string | null,
): 'same-origin' | 'cross-origin' | 'unknown' {
  if (site === 'same-origin') return 'same-origin'
  if (site !== null && site !== 'none') return 'cross-origin'
  if (origin === null) return 'unknown'
  return origin === serverOrigin ? 'same-origin' : 'cross-origin'
}
