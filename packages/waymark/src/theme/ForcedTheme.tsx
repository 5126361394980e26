'use client'

import { type ReactNode, useContext, useLayoutEffect, useMemo } from 'react'
import { themeStoreOf } from './store.ts'
import { ThemeContext } from './useTheme.ts'

/** Props of `ForcedTheme`. */
export type ForcedThemeProps = {
  /** The theme the whole page takes while this is mounted; `null` forces none. */
  theme: string | null
  children?: ReactNode
}

/**
 * Gives the whole page a theme while it is mounted, whatever the user prefers; the innermost
 * one that names a theme wins. The preference itself stays.
 */
export function ForcedTheme({ theme, children }: ForcedThemeProps): ReactNode {
  const above = useContext(ThemeContext)
  const depth = above.depth + 1
  // A layout effect: the page has its theme before the navigation's first paint.
  useLayoutEffect(() => themeStoreOf(window).force(theme, depth), [theme, depth])
  // On every render of the page: a layout may have written what the cookie says on <html>.
  useLayoutEffect(() => themeStoreOf(window).repaint())
  const inherited = theme ?? above.theme
  const here = useMemo(() => ({ theme: inherited, depth }), [inherited, depth])
  return <ThemeContext value={here}>{children}</ThemeContext>
}
