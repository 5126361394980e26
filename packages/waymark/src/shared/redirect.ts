import type { CheckedHref } from './appRoutes.ts'
import { frameworkError } from './errors.ts'
import { type RedirectStatus, SignalError } from './signals.ts'

/** How a redirect is sent. */
export type RedirectOptions = {
  /**
   * 307 keeps the method of the request, 303 asks for a GET, browsers cache a 308 for good.
   * Default: 307; 303 in a route handler after a POST, PUT, PATCH or DELETE. A server action always
   * leads to a GET (303): a 307 or 308 would have the browser post the form to the target again.
   */
  readonly status?: RedirectStatus | undefined
}

/**
 * Ends what is running and sends the user elsewhere.
 * @param location a path of the site, `/login?from=%2Fcart`, or a whole `https:` or `http:` URL
 * @throws always: a signal, or `REDIRECT_TARGET` for a location that is neither
 */
export function redirect<const Given extends string>(
  location: CheckedHref<Given> | URL,
  options: RedirectOptions = {},
): never {
  const { status = 307 } = options
  const signal = { kind: 'redirect', status, location: parseRedirectTarget(location) } as const
  throw new SignalError(signal, options.status !== undefined)
}

/**
 * Ends what is running and sends the user to where the page now lives for good (308).
 * @param location as for `redirect`
 * @throws always
 */
export function permanentRedirect<const Given extends string>(
  location: CheckedHref<Given> | URL,
): never {
  throw new SignalError({ kind: 'redirect', status: 308, location: parseRedirectTarget(location) })
}

// Only its being another one than any real site counts.
const anySite = 'http://site.invalid'

// biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers drop some of these unseen
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/

/**
 * Reads where a redirect leads, so strictly that browsers and we can't disagree about the site.
 * @param target a path of the site, or a whole `http:` or `https:` URL
 * @returns the location as it may stand in a header: ASCII, percent-encoded
 * @throws `REDIRECT_TARGET` for other schemes, `//host`, backslashes and control characters
 */
export function parseRedirectTarget(target: string | URL): string {
  const text = String(target)
  const refuse = (reason: string) =>
    frameworkError('REDIRECT_TARGET', { location: text, reason }, text)
  if (controlCharacter.test(text)) throw refuse('it holds a control character')
  if (!text.isWellFormed()) throw refuse('it is not well-formed Unicode')
  // Browsers read a backslash as a slash, up to the query.
  if (/^[^?#]*\\/.test(text)) throw refuse('it holds a backslash')
  if (text.startsWith('//')) throw refuse('it names another site without a scheme')
  if (text.startsWith('/')) return parsePath(text, refuse)
  if (/^https?:\/\/[^/?#]/i.test(text)) return parseAbsolute(text, refuse)
  if (/^[a-z][a-z\d+.-]*:/i.test(text)) throw refuse('its scheme is not https: or http:')
  throw refuse('it does not begin with a slash')
}

type Refuse = (reason: string) => Error

function parsePath(text: string, refuse: Refuse): string {
  if (!URL.canParse(text, anySite)) throw refuse('it is not a URL')
  const { pathname, search, hash } = new URL(text, anySite)
  // Dot segments may have gone: /.//host is //host now.
  if (pathname.startsWith('//')) throw refuse('it leads to a path that names another site')
  return pathname + search + hash
}

function parseAbsolute(text: string, refuse: Refuse): string {
  if (!URL.canParse(text)) throw refuse('it is not a URL')
  return new URL(text).href
}
