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
  /** Stores a preference and repaints the page at once; an unknown one counts as `system`. */
  readonly setPreference: (preference: Preference) => void
}

// Server and hydration do not know the theme; the first client render after hydration does.
const serverSnapshot: ThemeSnapshot = /* @__PURE__ */ Object.freeze({
  preference: 'system',
  system: 'light',
  forced: null,
  resolved: 'light',
  themes: /* @__PURE__ */ Object.freeze(['light', 'dark']),
})

/**
 * The user's preference and the theme that comes of it, kept up to date.
 *
 * While rendering on the server and while hydrating, the preference is `system` and the theme
 * `light`, for the server can't know; let style sheets decide what must be right at first paint.
 * Within `ThemeScope` or `ForcedTheme`, `resolved` is their theme.
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
