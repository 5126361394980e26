import { sourceOfRequest } from '../../http/requestSource.ts'
import type { ServerRequest } from '../../http/response.ts'
import { createTokenBucket } from '../../journal/journal.ts'

type Sent = Pick<ServerRequest, 'headers' | 'origin'>

/** Reason why a request counts as coming from a page on a different site. */
export type CrossOriginReason =
  | { readonly kind: 'site'; readonly site: string }
  | { readonly kind: 'origin'; readonly origin: string; readonly serverOrigin: string }
  | { readonly kind: 'unsaid' }

/**
 * Detects cross-site request forgery from the headers, before the body is read.
 * @param sent the client's own headers, not those that proxy.ts set
 * @param allowed origins whose pages may send requests
 * @returns `null` if the request may pass
 */
export function crossOriginReason(
  { headers, origin: serverOrigin }: Sent,
  allowed: readonly string[],
): CrossOriginReason | null {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  if (origin !== null && allowed.includes(origin)) return null
  switch (sourceOfRequest({ site, origin }, serverOrigin)) {
    case 'same-origin':
      return null
    case 'unknown':
      return hasAmbientCredentials(headers) ? { kind: 'unsaid' } : null
    case 'cross-origin':
      return site === null || site === 'none'
        ? { kind: 'origin', origin: origin ?? '', serverOrigin }
        : { kind: 'site', site }
  }
}

/**
 * True if a request has credentials that a browser attaches no matter which page sends it: cookies
 * or basic auth.
 */
function hasAmbientCredentials(headers: Sent['headers']): boolean {
  const authorization = headers.get('authorization')
  return headers.has('cookie') || (authorization !== null && !/^bearer /i.test(authorization))
}

/** Logs why a request was refused, for the operator. */
export type LogForeign = (
  reason: CrossOriginReason,
  request: { readonly kind: 'action' | 'WebSocket'; readonly pathname: string },
) => void

/** Anybody can cause refusals, so log at most five at once and two per minute. */
const logRate = { burst: 5, perSecond: 1 / 30 }

export function createForeignLog(log: (line: string) => void, now = Date.now): LogForeign {
  const bucket = createTokenBucket(logRate)
  return (reason, { kind, pathname }) => {
    if (!bucket.take(now())) return
    log(`403: refused the ${kind} at ${quoted(pathname)}. ${explanation(reason)}`)
  }
}

function explanation(reason: CrossOriginReason): string {
  switch (reason.kind) {
    case 'site':
      return `According to the browser, a page on another site sent it (Sec-Fetch-Site: ${quoted(reason.site)}). To allow that site, add its origin to actions.allowedOrigins.`
    case 'origin':
      return reason.origin === 'null'
        ? 'Its Origin is "null" and it has no Sec-Fetch-Site, which browsers send only over HTTPS and to localhost. A page with the referrer policy no-referrer sends such forms. Serve the page over HTTPS, or set its referrer policy to same-origin.'
        : `Its Origin is ${quoted(reason.origin)}, but the server was reached as ${quoted(reason.serverOrigin)}. If there is a proxy in between, make it pass on the host and the scheme, and trust it with --trust-proxy. To allow another site, add its origin to actions.allowedOrigins.`
    case 'unsaid':
      return "It has cookies or a password, but neither Sec-Fetch-Site nor Origin. A client that isn't a browser has to send Origin, or use a bearer token instead of cookies."
  }
}

/** Quotes a string from the client, shortened and without control characters. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 200))
}
