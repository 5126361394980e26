type CookieEvents = { addEventListener(type: 'change', listener: () => void): void }

/**
 * Calls `listener` when a script or a response changes a cookie in any tab. Does nothing in browsers
 * without `cookieStore`.
 */
export function onCookieChange(listener: () => void): void {
  const { cookieStore } = globalThis as { readonly cookieStore?: CookieEvents }
  cookieStore?.addEventListener('change', listener)
}
