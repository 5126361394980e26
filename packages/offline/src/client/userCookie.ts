import { basePath } from 'waymark'
import { formatUserCookie, userCookieName } from 'waymark/internal'

type CookieEvents = { addEventListener(type: 'change', listener: () => void): void }

const name = userCookieName(basePath)

/** @returns `null` where there is none, or the browser forbids cookies */
export function readUserCookie(): string | null {
  try {
    const pairs = document.cookie.split('; ')
    return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null
  } catch {
    return null
  }
}

export function writeUserCookie(value: string): void {
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have a cookie store
    document.cookie = formatUserCookie(name, value, location.protocol === 'https:')
  } catch {
    // Where the browser forbids cookies, nobody signs in by one.
  }
}

/** Calls back when a script or a response changes a cookie, in any tab, where the browser tells. */
export function onCookieChange(listener: () => void): void {
  const { cookieStore } = globalThis as { readonly cookieStore?: CookieEvents }
  cookieStore?.addEventListener('change', listener)
}
