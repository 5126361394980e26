/**
 * Prefix of the user cookie, which contains a hash of the user's id. Scripts can't read session
 * cookies, and service workers can't read `set-cookie`, but both can tell from this cookie that the
 * user has changed. It proves nothing: no server uses it to decide what a client may see.
 */

const prefix = 'waymark-user'

/**
 * Returns the name of the user cookie. Scripts can read this cookie, and the server keeps it up to date.
 *
 * @param basePath distinguishes several apps at one origin, whose users may differ
 */
export function userCookieName(basePath: string): string {
  return prefix + encodeURIComponent(basePath)
}

/** Returns false for most requests, without parsing their cookies. */
export function mayHaveUserCookie(cookieHeader: string | null): cookieHeader is string {
  return cookieHeader?.includes(prefix) === true
}

/** True for the user cookie of any app at the origin. */
export function isUserCookie(name: string): boolean {
  return name === prefix || name.startsWith(`${prefix}%2F`)
}

/** Name patterns of the user cookie, for the list of cookies that don't identify their sender. */
export const userCookiePatterns: readonly string[] = [prefix, `${prefix}%2F*`]

/**
 * Computes the value of the user cookie for the user for whom a page is rendered.
 *
 * @param id as returned by `user` of `server.ts`; `null` if nobody is signed in
 */
export async function userCookieValue(id: string | null): Promise<string> {
  const text = `user cookie ${JSON.stringify(id)}`
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(hash, 0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Creates a unique value of the user cookie, for a user whose id is unknown. */
export function randomUserCookieValue(): string {
  return crypto.randomUUID()
}

/**
 * Formats the user cookie for `set-cookie` and `document.cookie`. The path is `/`, so that all apps
 * on the origin receive the cookie. They may share a session, which one of them may end.
 *
 * @param value `null` deletes the cookie
 */
export function formatUserCookie(name: string, value: string | null, isSecure: boolean): string {
  // Seconds for which the cookie lasts. Browsers shorten this to 400 days, or to 7 days if a script
  // wrote the cookie.
  const maxAge = value === null ? 0 : 34_560_000
  return `${name}=${value ?? ''}; Path=/; Max-Age=${maxAge}; SameSite=Lax${isSecure ? '; Secure' : ''}`
}
