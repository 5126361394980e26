import type { ThemeConfig } from './config.ts'
import { type Preference, parsePreference } from './preference.ts'

/** Where a person's preference is kept between pages. */
export type PreferenceStorage = {
  /** `null`: nothing can be read here, because storage is blocked. */
  read(): Preference | null
  write(preference: Preference): void
  /** Writes the cookie anew, where one is configured. */
  mirror(preference: Preference): void
}

const yearSeconds = 31_536_000

/** Local storage, and the cookie that lets a server see the preference. */
export function createPreferenceStorage(view: Window, config: ThemeConfig): PreferenceStorage {
  const { storageKey, themes } = config

  function mirror(preference: Preference): void {
    if (!config.cookie) return
    const secure = view.location.protocol === 'https:' ? '; Secure' : ''
    const lifetime = `Path=/; Max-Age=${yearSeconds}; SameSite=Lax${secure}`
    try {
      view.document.cookie = `${storageKey}=${preference}; ${lifetime}`
    } catch {
      // A sandboxed frame may not set cookies; the preference still holds for this page.
    }
  }

  return {
    mirror,
    read() {
      try {
        return parsePreference(view.localStorage.getItem(storageKey), themes)
      } catch {
        return null
      }
    },
    write(preference) {
      try {
        view.localStorage.setItem(storageKey, preference)
      } catch {
        // Blocked or full: the preference holds for this page.
      }
      mirror(preference)
    },
  }
}
