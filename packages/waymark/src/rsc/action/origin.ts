import type { ServerRequest } from '../../shared/answer.ts'

/**
 * Tells whether a request that changes something may come from another site: one that a browser
 * sends with the credentials it holds, from a page that is not of this origin. Asked before a byte
 * of the body is read.
 * @param allowed further origins, `https://example.com`
 * @see Fetch Metadata §2.4, RFC 6454 §7
 */
export function isCrossOrigin(request: ServerRequest, allowed: readonly string[]): boolean {
  const { headers } = request
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  if (origin !== null && allowed.includes(origin)) return false
  // No script can set it, and no browser sends `none` with a form or a fetch of a page.
  if (site !== null && site !== 'same-origin' && site !== 'none') return true
  // What ends TLS before this server need not have said so: the browser vouches for the scheme.
  if (origin !== null) {
    return site === 'same-origin'
      ? hostOf(origin) !== hostOf(request.origin)
      : origin !== request.origin
  }
  return site !== 'same-origin' && hasAmbientCredentials(request)
}

/** Credentials that a browser sends by itself, whoever asked it to send the request. */
function hasAmbientCredentials({ headers }: ServerRequest): boolean {
  const authorization = headers.get('authorization')
  return headers.has('cookie') || (authorization !== null && !/^bearer /i.test(authorization))
}

function hostOf(origin: string): string {
  return origin.slice(origin.indexOf('://') + 3).toLowerCase()
}
