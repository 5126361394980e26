/**
 * The user cookie: a hash of the user's id that scripts can read. Browsers keep session cookies from
 * scripts, and `set-cookie` from service workers. With this cookie, both notice that the user is
 * another one. It proves nothing: no server decides by it what a client may see.
 */

const prefix = 'waymark-user'

/**
 * Name of the cookie with a hash of the user's id, which scripts can read and the server keeps current.
 * A browser knows by it that the user is another one. It proves nothing about its sender.
 * @param basePath an origin may have an app at each of several paths, with users of its own
 */
export function userCookieName(basePath: string): string {
  return prefix + encodeURIComponent(basePath)
}

/** False for most requests, without parsing their cookies. */
export function mayHaveUserCookie(cookieHeader: string | null): cookieHeader is string {
  return cookieHeader?.includes(prefix) === true
}

/** True for the user cookie of any app of the origin. */
export function isUserCookie(name: string): boolean {
  return name === prefix || name.startsWith(`${prefix}%2F`)
}

/** For the list of cookies that say nothing about their sender. */
export const userCookiePatterns: readonly string[] = [prefix, `${prefix}%2F*`]

/**
 * Computes the value of the user cookie for a user whom a page names.
 * @param id as `user` of `server.ts` returns it; `null`: nobody is signed in
 */
export async function userCookieValue(id: string | null): Promise<string> {
  const text = `user cookie ${JSON.stringify(id)}`
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(hash, 0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Creates a value of the user cookie for a user whom the app does not name: equal to no other value. */
export function randomUserCookieValue(): string {
  return crypto.randomUUID()
}

/**
 * Writes the line for `set-cookie` and `document.cookie`. All apps of an origin get the cookie: a
 * session that one of them ends may be that of another, too.
 * @param value `null` deletes the cookie
 */
export function formatUserCookie(name: string, value: string | null, isSecure: boolean): string {
  // Browsers shorten it to 400 days, or to 7 where a script has written it.
  const maxAge = value === null ? 0 : 34_560_000
  return `${name}=${value ?? ''}; Path=/; Max-Age=${maxAge}; SameSite=Lax${isSecure ? '; Secure' : ''}`
}
