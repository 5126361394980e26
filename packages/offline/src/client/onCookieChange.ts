type CookieEvents = { addEventListener(type: 'change', listener: () => void): void }

/** Calls back when a script or a response changes a cookie in any tab, if the browser has `cookieStore`. */
export function onCookieChange(listener: () => void): void {
  const { cookieStore } = globalThis as { readonly cookieStore?: CookieEvents }
  cookieStore?.addEventListener('change', listener)
}
