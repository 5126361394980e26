/** Headers for what goes on after proxy.ts. */
export type ProxyResultOptions = {
  /** Added to the answer, whatever gives it. */
  readonly headers?: HeadersInit | undefined
  /** In place of the request's own headers, for all that runs after proxy.ts. */
  readonly requestHeaders?: HeadersInit | undefined
}

/** What proxy.ts returns to let a request go on. */
export type ProxyResult = {
  readonly kind: 'next' | 'rewrite'
  /** Of a rewrite: a path of the site, or a URL on its origin. */
  readonly target: string | null
  readonly headers: Headers
  readonly requestHeaders: Headers | null
}

/** Lets a request go on to its page or route handler: a result for proxy.ts to return. */
export function next(options: ProxyResultOptions = {}): ProxyResult {
  return createResult('next', null, options)
}

/**
 * Lets another path answer, while the URL in the browser stays: a result for proxy.ts to return.
 * @param target a path of the site with its query, or a URL on the request's own origin
 */
export function rewrite(target: string | URL, options: ProxyResultOptions = {}): ProxyResult {
  return createResult('rewrite', String(target), options)
}

/** Tells whether a value was made by `next` or `rewrite`. */
export function isProxyResult(value: unknown): value is ProxyResult {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false
  return (value.kind === 'next' || value.kind === 'rewrite') && 'requestHeaders' in value
}

function createResult(
  kind: ProxyResult['kind'],
  target: string | null,
  { headers, requestHeaders }: ProxyResultOptions,
): ProxyResult {
  return {
    kind,
    target,
    headers: new Headers(headers),
    requestHeaders: requestHeaders === undefined ? null : new Headers(requestHeaders),
  }
}
