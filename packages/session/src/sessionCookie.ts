import type { CookieOptions, Cookies } from 'waymark/server'
import type { Platform } from './platform.ts'

/** Longest time for which browsers store a cookie: RFC 6265bis §5.5. */
export const longestSeconds = 400 * 24 * 60 * 60
/** Maximum bytes of a cookie's name and value in browsers: RFC 6265bis §5.6. */
const maxCookieBytes = 4096
/**
 * Maximum number of cookies with the session's name that are examined. A browser sends several if another program has
 * set one for a subpath or a parent domain.
 */
const maxSameName = 3

export type SessionCookie = ReturnType<typeof createSessionCookie>

type SessionCookieOptions = {
  readonly name: string
  readonly secure?: boolean | undefined
  /** Last sentence of the error for a cookie that is too large. */
  readonly sizeAdvice?: string
}

const defaultSizeAdvice =
  'Put less into the session, or store it on the server: createSession({ store: cacheStore() }).'

/** Creates the functions that read and write one of the session's cookies. */
export function createSessionCookie(
  { currentRequest, warn, isProduction }: Platform,
  { name, secure = isProduction, sizeAdvice = defaultSizeAdvice }: SessionCookieOptions,
) {
  // Browsers accept a cookie with this prefix only from a secure page of exactly this host, so a subdomain can't plant
  // one: RFC 6265bis §4.1.3.2.
  const fullName = secure ? `__Host-${name}` : name
  const attributes: CookieOptions = { httpOnly: true, sameSite: 'lax', secure, path: '/' }
  let hasWarned = false

  return {
    name: fullName,
    /** Returns the values to examine, with the most specific one first. */
    values(jar: Cookies): string[] {
      const sent = jar.getAll(fullName).slice(0, maxSameName)
      return sent.map(({ value }) => value).filter(({ length }) => length <= maxCookieBytes)
    },
    /**
     * @param isLasting false for a cookie that the browser deletes when it is closed
     * @throws if browsers would refuse the cookie because of its size
     */
    write(
      jar: Cookies,
      value: string,
      { isLasting, seconds = longestSeconds }: { isLasting: boolean; seconds?: number },
    ): void {
      const bytes = fullName.length + value.length
      if (bytes > maxCookieBytes) {
        throw new Error(
          `The cookie ${fullName} would have ${bytes} bytes, and browsers accept at most ${maxCookieBytes}. ${sizeAdvice}`,
        )
      }
      if (secure && !hasWarned) warnOfPlainHttp()
      jar.set(fullName, value, isLasting ? { ...attributes, maxAge: seconds } : attributes)
    },
    delete(jar: Cookies): void {
      if (jar.has(fullName)) jar.delete(fullName)
    },
  }

  /** Warns once if the browser will probably refuse the cookie, because the page has no HTTPS. */
  function warnOfPlainHttp(): void {
    const request = currentRequest()?.request
    if (!request) return
    const { protocol, hostname, origin } = new URL(request.origin)
    const isLocal = /^(?:localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
    const hasProxy = request.headers.has('x-forwarded-proto') || request.headers.has('forwarded')
    if (protocol === 'https:' || isLocal || hasProxy) return
    hasWarned = true
    warn(
      `The cookie ${fullName} is Secure, but a request came over HTTP, for ${origin}. Unless a proxy in front of the app serves HTTPS, browsers refuse the cookie and nobody stays signed in. Serve the app over HTTPS, or pass secure: false to createSession().`,
    )
  }
}
