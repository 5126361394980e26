import { createHash } from 'node:crypto'
import type { RequestHeaders, SentRequest } from '../../http/response.ts'
import { userCookiePatterns } from '../../wire/userCookie.ts'
import type { PageRequest } from '../page/pageRequest.ts'
import { clientNetwork } from '../request/clientNetwork.ts'

export type Credentials = {
  readonly authorization: string
  /** Raw cookie values, keyed by name. If a name occurs more than once, its values are joined with `;`. */
  readonly cookies: ReadonlyMap<string, string>
}

export type IsCredential = (cookieName: string) => boolean

// Cookies that say nothing about the user. Scripts and load balancers may change them at any time,
// even between two attempts.
const thirdPartyCookies = [
  // Analytics and advertising: Google, Meta, Hotjar, Matomo, Microsoft, Datadog and others
  '_ga',
  '_ga_*',
  '_gid',
  '_gat*',
  '_gcl_*',
  '_gac_*',
  '_fbp',
  '_fbc',
  '_hj*',
  '_pk_*',
  '_clck',
  '_clsk',
  '_uetsid',
  '_uetvid',
  '_dd_s',
  '__utm*',
  '__hstc',
  '__hssc',
  '__hssrc',
  'hubspotutk',
  'ph_*_posthog',
  'mp_*_mixpanel',
  'AMP_*',
  'ajs_anonymous_id',
  // Load balancers and bot filters: AWS, Azure, Cloudflare, Akamai, Imperva, DataDome
  'AWSALB*',
  'AWSELB*',
  'ARRAffinity*',
  '__cf_bm',
  '__cflb',
  '_cfuvid',
  'cf_clearance',
  'ak_bmsc',
  'bm_sv',
  'bm_sz',
  '_abck',
  'incap_ses_*',
  'nlbi_*',
  'visid_incap_*',
  'datadome',
  // Waymark's user cookie, which changes with the session cookie
  ...userCookiePatterns,
]

/** Returns a function that checks if a cookie is a credential. An unknown cookie counts as a credential. */
export function createIsCredential(ignored: readonly string[]): IsCredential {
  const patterns = [...thirdPartyCookies, ...ignored].map((name) =>
    name.split('*').map(escapeRegExp).join('.*'),
  )
  const pattern = new RegExp(`^(?:${patterns.join('|')})$`)
  return (name) => !pattern.test(name)
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

export function readCredentials(
  headers: Pick<RequestHeaders, 'get'>,
  isCredential: IsCredential,
): Credentials {
  const cookies = new Map<string, string>()
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const [name, value] = splitPair(pair)
    if ((name === '' && value === '') || !isCredential(name)) continue
    const other = cookies.get(name)
    cookies.set(name, other === undefined ? value : `${other};${value}`)
  }
  return { authorization: headers.get('authorization') ?? '', cookies }
}

/**
 * Returns the credentials for a browser's next request, after it has stored the response's cookies.
 * RFC 6265 §5.3
 */
export function withSetCookies(
  { authorization, cookies }: Credentials,
  setCookies: readonly string[],
  { pathname, nowMs, isCredential }: SetCookieContext,
): Credentials {
  const changed = new Map(cookies)
  for (const line of setCookies) {
    const [[name, value] = ['', ''], ...attributes] = line.split(';').map(splitPair)
    const attribute = (wanted: string) =>
      attributes.findLast(([each]) => each.toLowerCase() === wanted)?.[1]
    if (!isCredential(name) || !matchesPath(attribute('path'), pathname)) continue
    if (isExpired(attribute('max-age') ?? '', attribute('expires') ?? '', nowMs))
      changed.delete(name)
    else changed.set(name, value)
  }
  return { authorization, cookies: changed }
}

/**
 * Returns the `cookie` header of a browser's next request to the same URL, after it has stored the
 * response's cookies.
 * @param context its `isCredential` selects the cookies to include
 */
export function cookieHeaderAfter(
  sent: string,
  setCookies: readonly string[],
  context: SetCookieContext,
): string {
  const credentials = readCredentials(new Headers({ cookie: sent }), context.isCredential)
  const { cookies } = withSetCookies(credentials, setCookies, context)
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

type SetCookieContext = {
  readonly pathname: string
  readonly nowMs: number
  readonly isCredential: IsCredential
}

export function hasCredentials({ authorization, cookies }: Credentials): boolean {
  return authorization !== '' || cookies.size > 0
}

/**
 * Hashes credentials. @param use name of the purpose. The same credentials have a different hash
 * for each purpose
 */
export function hashCredentials({ authorization, cookies }: Credentials, use: string): string {
  const pairs = [...cookies].sort(([one], [other]) => (one < other ? -1 : 1))
  const text = JSON.stringify([use, authorization, pairs])
  return createHash('sha256').update(text).digest('base64url')
}

/**
 * Creates the function with which server parts of packages identify the sender of a request, as a
 * hash.
 */
export function createHashSender(isCredential: IsCredential) {
  return ({ headers, target, setCookies = [] }: SentRequest, purpose: string): string => {
    const pathname = target.split('?', 1)[0] ?? '/'
    const sent = readCredentials(headers, isCredential)
    const context = { pathname, nowMs: Date.now(), isCredential }
    return hashCredentials(withSetCookies(sent, setCookies, context), purpose)
  }
}

function splitPair(pair: string): [name: string, value: string] {
  const equalsAt = pair.indexOf('=')
  if (equalsAt === -1) return ['', pair.trim()]
  return [pair.slice(0, equalsAt).trim(), pair.slice(equalsAt + 1).trim()]
}

function isExpired(maxAge: string, expires: string, nowMs: number): boolean {
  return /^-?\d+$/.test(maxAge) ? Number(maxAge) <= 0 : Date.parse(expires) <= nowMs
}

// True if a cookie's path matches the pathname. RFC 6265 §5.1.4
function matchesPath(path: string | undefined, pathname: string): boolean {
  if (path === undefined || !path.startsWith('/') || path === pathname) return true
  return pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

export type Sender = {
  /** The headers that the client sent, before proxy.ts changed them. */
  readonly headers: Pick<RequestHeaders, 'get'>
  readonly pathname: string
  /** The client's network, which may use only a share of the memory; `null` if unknown. */
  readonly network: string | null
  /**
   * Returns a signal that aborts when the client leaves. Creating the signal is slow, so call this
   * only when needed.
   */
  readonly signal: () => AbortSignal
  readonly setCookies: () => readonly string[]
}

export function senderOf({ request, scope }: PageRequest): Sender {
  return {
    headers: scope.context.sentHeaders,
    pathname: request.target.split('?', 1)[0] ?? '/',
    network: clientNetwork(request),
    signal: () => request.signal,
    setCookies: scope.cookies.lines,
  }
}
