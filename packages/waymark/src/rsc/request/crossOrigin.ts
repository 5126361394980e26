import { sourceOfRequest } from '../../http/requestSource.ts'
import type { ServerRequest } from '../../http/response.ts'
import { createTokenBucket } from '../../journal/journal.ts'

type Sent = Pick<ServerRequest, 'headers' | 'origin'>

/** Why a request counts as one of another site's page. */
export type CrossOriginReason =
  | { readonly kind: 'site'; readonly site: string }
  | { readonly kind: 'origin'; readonly origin: string; readonly serverOrigin: string }
  | { readonly kind: 'unsaid' }

/**
 * Detects CSRF by the headers, before the body is read.
 * @param sent headers of the client, not those that proxy.ts put in their place
 * @param allowed origins whose pages may send requests
 * @returns `null` for a request that may pass
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

/** Credentials that a browser attaches to requests from any page: cookies and basic auth. */
function hasAmbientCredentials(headers: Sent['headers']): boolean {
  const authorization = headers.get('authorization')
  return headers.has('cookie') || (authorization !== null && !/^bearer /i.test(authorization))
}

/** Tells the operator why a request was refused. */
export type LogForeign = (
  reason: CrossOriginReason,
  request: { readonly kind: 'action' | 'WebSocket'; readonly pathname: string },
) => void

/** Anybody can send such requests: the log gets a few lines, then two a minute. */
const logRate = { burst: 5, perSecond: 1 / 30 }

export function createForeignLog(log: (line: string) => void, now = Date.now): LogForeign {
  const bucket = createTokenBucket(logRate)
  return (reason, { kind, pathname }) => {
    if (!bucket.take(now())) return
    log(`403: the ${kind} at ${quoted(pathname)} was refused. ${explanation(reason)}`)
  }
}

function explanation(reason: CrossOriginReason): string {
  switch (reason.kind) {
    case 'site':
      return `The browser says that a page of another site sent it (Sec-Fetch-Site: ${quoted(reason.site)}). If that site may send it, add its origin to actions.allowedOrigins.`
    case 'origin':
      return reason.origin === 'null'
        ? 'Its Origin is "null", and there is no Sec-Fetch-Site, which browsers send over HTTPS and to localhost only. A page with the referrer policy no-referrer sends such forms: serve it over HTTPS, or use the policy same-origin.'
        : `Its Origin is ${quoted(reason.origin)}, but the server was reached as ${quoted(reason.serverOrigin)}. Behind a proxy, pass the host and the scheme on, and name the proxy with --trust-proxy. If another site may send it, add its origin to actions.allowedOrigins.`
    case 'unsaid':
      return 'It has cookies or a password, but neither Sec-Fetch-Site nor Origin. A program has to send Origin, or a bearer token in place of cookies.'
  }
}

/** The client's own words: bounded, and without control characters. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 200))
}
