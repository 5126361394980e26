import type { CheckedHref } from './appRoutes.ts'
import { parseRedirectTarget } from './redirectTarget.ts'
import { type RedirectStatus, SignalError } from './signals.ts'

/** How a redirect is answered. */
export type RedirectOptions = {
  /**
   * 307 keeps the method of the request, 303 asks for a GET, 308 is kept by browsers for good.
   * Default: 307; a server action answers with 303.
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
  throw new SignalError({ kind: 'redirect', status, location: parseRedirectTarget(location) })
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

/**
 * Ends what is running with 404 and the nearest `not-found` screen.
 * @throws always
 */
export function notFound(): never {
  throw new SignalError({ kind: 'fallback', status: 404 })
}

/**
 * Ends what is running with 403 and the nearest `forbidden` screen: the user is known, and may
 * not see this.
 * @throws always
 */
export function forbidden(): never {
  throw new SignalError({ kind: 'fallback', status: 403 })
}

/**
 * Ends what is running with 401 and the nearest `unauthorized` screen: the user is not known yet.
 * @throws always
 */
export function unauthorized(): never {
  throw new SignalError({ kind: 'fallback', status: 401 })
}
