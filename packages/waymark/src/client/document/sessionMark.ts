/** Key of the session mark in `localStorage`. */
export const sessionMarkKey = 'waymark-session'

/**
 * Reads the session mark, which all tabs of a site share. The router writes a new mark after each
 * action that sets cookies. Compare it with an earlier mark to find out if the session may have
 * changed. Any script of the site can write the mark, so use it only to decide what to load again,
 * never what a user may see.
 * @param storage may throw if the browser blocks storage
 * @returns `null` before the first such action, or if storage is blocked
 */
export function readSessionMark(
  storage: () => Pick<Storage, 'getItem'> = () => localStorage,
): string | null {
  try {
    return storage().getItem(sessionMarkKey)
  } catch {
    return null
  }
}

/** Calls the listener after an action in another tab has set cookies, as signing in or out does. */
export function onSessionChange(listener: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === sessionMarkKey) listener()
  })
}
