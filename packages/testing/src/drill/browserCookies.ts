import type { BrowserContext } from 'playwright-core'

/** A cookie of a browser, as Playwright sets it. */
export type BrowserCookie = Parameters<BrowserContext['addCookies']>[0][number]

/** Returns an app's cookies for a browser. @param origin URL of an app on a loopback address */
export function browserCookies(
  origin: string,
  cookies: Readonly<Record<string, string>>,
): BrowserCookie[] {
  return Object.entries(cookies).map(([name, value]) => {
    // Cookies with the prefix __Host- or __Secure- must be secure. They work on loopback, too,
    // because browsers treat loopback as secure.
    const isSecure = /^__(?:host|secure)-/i.test(name)
    return { name, value, url: isSecure ? origin.replace('http:', 'https:') : origin }
  })
}
