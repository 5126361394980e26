'use client'

import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Preference } from './config.ts'
import { type ThemeSnapshot, type ThemeStore, themeStoreOf } from './store.ts'

export type InheritedTheme = {
  readonly theme: string | null
  readonly depth: number
}

export const ThemeContext = createContext<InheritedTheme>({ theme: null, depth: 0 })

/** Result of `useTheme`. */
export type ThemeState = ThemeSnapshot & {
  /**
   * Stores a preference and repaints the page at once. An unknown preference counts as `system`.
   */
  readonly setPreference: (preference: Preference) => void
}

// The theme is unknown on the server and during hydration. The first render after hydration uses
// the real one.
const serverSnapshot: ThemeSnapshot = /* @__PURE__ */ Object.freeze({
  preference: 'system',
  system: 'light',
  forced: null,
  resolved: 'light',
  themes: /* @__PURE__ */ Object.freeze(['light', 'dark']),
})

/**
 * Returns the user's preference and the resolved theme, and updates when they change.
 *
 * On the server and during hydration, the preference is `system` and the theme is `light`, because
 * the server can't know them. Use stylesheets for anything that must be right at first paint.
 * Within `ThemeScope` or `ForcedTheme`, `resolved` is the theme of that component.
 */
export function useTheme(): ThemeState {
  const { theme } = useContext(ThemeContext)
  const snapshot = useSyncExternalStore(subscribe, getSnapshot, getServerSnapshot)
  return { ...snapshot, resolved: theme ?? snapshot.resolved, setPreference }
}

const subscribe: ThemeStore['subscribe'] = (listener) => themeStoreOf(window).subscribe(listener)
const getSnapshot = () => themeStoreOf(window).getSnapshot()
const getServerSnapshot = () => serverSnapshot
const setPreference = (preference: Preference) => themeStoreOf(window).setPreference(preference)
