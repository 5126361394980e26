/** Key of the session mark in `localStorage`. */
export const sessionMarkKey = 'waymark-session'

/**
 * Reads the mark of the session, which all tabs of a site share. The router writes another one after
 * each action that sets cookies. The text has no meaning: compare it with an earlier one. Any script
 * of the site can write it, so it decides what to load again, and never what a user may see.
 * @param storage throws where a browser allows none
 * @returns `null` before the first such action, and where the storage is blocked
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

/** Calls back when an action in another tab has set cookies: somebody may have signed in or out. */
export function onSessionChange(listener: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === sessionMarkKey) listener()
  })
}
