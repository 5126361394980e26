import { frameworkError } from '../shared/errors.ts'
import { type RedirectStatus, SignalError } from '../wire/signals.ts'
import type { CheckedHref } from './appRoutes.ts'

/** Options of `redirect`. */
export type RedirectOptions = {
  /**
   * Status of the redirect. 307 keeps the method, 303 makes the browser send a GET, and browsers
   * cache 308. Default: 307, or 303 in a route handler after a POST, PUT, PATCH or DELETE. A server
   * action always redirects with 303.
   */
  readonly status?: RedirectStatus | undefined
}

/**
 * Stops the running code and redirects.
 *
 * @param location a path of the site, or a whole URL
 * @throws always
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
 * Stops the running code and redirects permanently (308).
 *
 * @throws always
 */
export function permanentRedirect<const Given extends string>(
  location: CheckedHref<Given> | URL,
): never {
  throw new SignalError({ kind: 'redirect', status: 308, location: parseRedirectTarget(location) })
}

const anySite = 'http://site.invalid'

// biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers silently drop some of these
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/

/**
 * Validates a redirect's target.
 * @returns an ASCII location that all browsers resolve to the same site
 * @throws `REDIRECT_TARGET`
 */
export function parseRedirectTarget(target: string | URL): string {
  const text = String(target)
  const refuse = (reason: string) =>
    frameworkError('REDIRECT_TARGET', { location: text, reason }, text)
  if (controlCharacter.test(text)) throw refuse('it contains a control character')
  if (!text.isWellFormed()) throw refuse("it isn't well-formed Unicode")
  // Before the query, browsers treat a backslash as a slash.
  if (/^[^?#]*\\/.test(text)) throw refuse('it contains a backslash')
  if (text.startsWith('//')) throw refuse('it leads to another site without a scheme')
  if (text.startsWith('/')) return parsePath(text, refuse)
  if (/^https?:\/\/[^/?#]/i.test(text)) return parseAbsolute(text, refuse)
  if (/^[a-z][a-z\d+.-]*:/i.test(text)) throw refuse("its scheme isn't https: or http:")
  throw refuse("it doesn't begin with a slash")
}

type Refuse = (reason: string) => Error

function parsePath(text: string, refuse: Refuse): string {
  if (!URL.canParse(text, anySite)) throw refuse("it isn't a valid URL")
  const { pathname, search, hash } = new URL(text, anySite)
  // The URL parser removes dot segments, which turns `/.//host` into `//host`. So check the parsed
  // pathname.
  if (pathname.startsWith('//')) throw refuse('it leads to a path that names another site')
  return pathname + search + hash
}

function parseAbsolute(text: string, refuse: Refuse): string {
  if (!URL.canParse(text)) throw refuse("it isn't a valid URL")
  return new URL(text).href
}
