/** Headers by which a browser says which page sent a request; `null` where it sent none. */
export type SourceHeaders = {
  /** `Sec-Fetch-Site` */
  readonly site: string | null
  /** `Origin` */
  readonly origin: string | null
}

/**
 * Tells which page sent a request. Every check against CSRF decides by this rule.
 *
 * `Sec-Fetch-Site: same-origin` is enough: no script can set it, and the browser has compared the
 * origins itself, over all redirects. `Origin` says less: it is `null` for a form on a page with the
 * referrer policy `no-referrer`, and a proxy may have changed the host that it is compared with.
 * Browsers send `Sec-Fetch-Site` to secure origins and localhost; elsewhere `Origin` decides, and
 * also beside `none`, which means that the user started the request, not a page.
 * @param serverOrigin scheme and host of this server; `null` when they are not known
 * @returns `unknown` without any of the two headers, as from a program
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
