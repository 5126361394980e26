import { basePath } from '../../shared/basePath.ts'
import { formatUserCookie, userCookieName } from '../../wire/userCookie.ts'

/**
 * Reads the cookie by which scripts notice that another user has signed in: a hash of the user's id,
 * which the server keeps current once a script has written it. Any script of the site can write it,
 * so it decides what to forget, and never what a user may see.
 * @returns `null` without a user cookie, and if the browser forbids cookies
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

/** Writes the user cookie. @param value of `userCookieValue` or `randomUserCookieValue` */
export function writeUserCookie(value: string): void {
  const isSecure = location.protocol === 'https:'
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have a cookie store
    document.cookie = formatUserCookie(userCookieName(basePath), value, isSecure)
  } catch {
    // If the browser forbids cookies, nobody signs in by one.
  }
}
