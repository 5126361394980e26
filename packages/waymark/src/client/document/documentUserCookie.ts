import { basePath } from '../../shared/basePath.ts'
import { formatUserCookie, userCookieName } from '../../wire/userCookie.ts'

/**
 * Reads the user cookie, which lets scripts detect that a different user has signed in. The
 * cookie's value is a hash of the user's id. Once a script has written the cookie, the server keeps
 * it up to date. Any script of the site can write the cookie, so use it only to decide what to
 * forget, never what a user may see.
 * @returns `null` if there is no user cookie or the browser blocks cookies
 */
export function readUserCookie(): string | null {
  const name = userCookieName(basePath)
  try {
    const pairs = document.cookie.split('; ')
    return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null
  } catch {
    return null
  }
}

/** Writes the user cookie. @param value a result of `userCookieValue` or `randomUserCookieValue` */
export function writeUserCookie(value: string): void {
  const isSecure = location.protocol === 'https:'
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have a cookie store
    document.cookie = formatUserCookie(userCookieName(basePath), value, isSecure)
  } catch {
    // Ignore blocked cookies. Without cookies, nobody can sign in anyway.
  }
}
