/** Headers in which a browser reports which page sent a request. A missing header is `null`. */
export type SourceHeaders = {
  /** Value of `Sec-Fetch-Site`. */
  readonly site: string | null
  /** Value of `Origin`. */
  readonly origin: string | null
}

/**
 * Finds out which page sent a request. Every check against CSRF uses this function.
 *
 * `Sec-Fetch-Site: same-origin` is enough: no script can set it, and the browser itself has compared
 * the origins, along all redirects. `Origin` is less reliable. It is `null` for a form on a page with
 * the referrer policy `no-referrer`, and a proxy may have changed the host that it is compared with.
 * Browsers send `Sec-Fetch-Site` only to secure origins and localhost. If it is missing, or if it is
 * `none`, which means that the user started the request and not a page, `Origin` decides.
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
