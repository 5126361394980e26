'use client'

import { createContext } from 'react'

/** What the components above say about the theme of those below. */
export type InheritedTheme = {
  /** The theme that holds here, whatever the page's is; `null`: the page's. */
  readonly theme: string | null
  /** How many `ForcedTheme` stand above. */
  readonly depth: number
}

/** The theme that components above insist on. */
export const ThemeContext = createContext<InheritedTheme>({ theme: null, depth: 0 })
