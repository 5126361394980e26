'use client'

import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Preference } from './config.ts'
import { type ThemeSnapshot, type ThemeStore, themeStoreOf } from './store.ts'

/** What the components above say about the theme of those below. */
export type InheritedTheme = {
  /** The theme that holds here, whatever the page's is; `null`: the page's. */
  readonly theme: string | null
  /** How many `ForcedTheme` stand above. */
  readonly depth: number
}

/** The theme that components above force. */
export const ThemeContext = createContext<InheritedTheme>({ theme: null, depth: 0 })

/** The theme, as a component sees it. */
export type ThemeState = ThemeSnapshot & {
  /** Stores a preference and repaints the page at once; an unknown one counts as `system`. */
  readonly setPreference: (preference: Preference) => void
}

// What neither server nor hydration can know. The first render in the browser after hydration
// has the true values, before it is painted.
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
