import type { IncomingMessage, ServerResponse } from 'node:http'
import { sourceOfRequest } from '../http/requestSource.ts'
import { mounted } from '../shared/basePath.ts'
import { reservedPaths } from '../wire/reservedPaths.ts'
import { refuse } from './refuse.ts'

/**
 * Deletes all cookies of a browser that sends more than the server accepts. Such a browser gets a
 * 431 at every URL of the app, so the handler can't help. The screen and the notice for a 431 link
 * to this URL. Pages on other sites can't use it, because deleting cookies signs people out.
 * @returns false if the request is for a different URL
 */
export function respondClearCookies(
  req: IncomingMessage,
  res: ServerResponse,
  { origin, basePath = '' }: { readonly origin: string; readonly basePath?: string | undefined },
): boolean {
  if (req.url !== mounted(reservedPaths.clearCookies, basePath)) return false
  const { 'sec-fetch-site': site = null, origin: sentOrigin = null, cookie = '' } = req.headers
  const sent = { site: site === null ? null : String(site), origin: sentOrigin }
  if (req.method !== 'POST') refuse(res, 405, ['allow', 'POST'])
  else if (sourceOfRequest(sent, origin) !== 'same-origin') refuse(res, 403)
  else {
    res.writeHead(303, [
      'location',
      mounted('/', basePath),
      'cache-control',
      'private, no-store',
      // Browsers obey `Clear-Site-Data` over HTTPS and on localhost, for cookies of every path and parent domain.
      'clear-site-data',
      '"cookies"',
      'content-length',
      '0',
      ...deletions(cookie, new URL(origin).hostname).flatMap((line) => ['set-cookie', line]),
    ])
    res.end()
  }
  return true
}

// Maximum number of cookies to delete. Browsers refuse a response with a head that is too large;
// Chromium accepts 256 kB.
const maxDeleted = 100

/** @returns `Set-Cookie` lines that delete each cookie, longest cookie first */
function deletions(cookie: string, hostname: string): string[] {
  return cookie
    .split(/; */)
    .sort((a, b) => b.length - a.length)
    .slice(0, maxDeleted)
    .flatMap((pair) => {
      const [name = ''] = pair.split('=', 1)
      if (!tokenPattern.test(name)) return []
      // Browsers only accept cookies with these prefixes together with `Secure`.
      const secure = /^__(?:host|secure)-/i.test(name) ? '; Secure' : ''
      return ['', ...domainsOf(hostname)].map(
        (domain) => `${name}=; Path=/; Max-Age=0${domain && `; Domain=${domain}`}${secure}`,
      )
    })
}

// RFC 9110 §5.6.2, with a maximum length.
const tokenPattern = /^[\w!#$%&'*+.^`|~-]{1,256}$/

/** Returns the host and its parent domain. A cookie may have been set for either. */
function domainsOf(hostname: string): string[] {
  const labels = hostname.split('.')
  const isName = labels.length > 1 && !/^[\d.]+$|:/.test(hostname)
  if (!isName) return []
  return labels.length > 2 ? [hostname, labels.slice(1).join('.')] : [hostname]
}
