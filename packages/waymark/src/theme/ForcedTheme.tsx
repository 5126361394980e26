'use client'

import { type ReactNode, useContext, useLayoutEffect, useMemo } from 'react'
import { themeStoreOf } from './store.ts'
import { ThemeContext } from './useTheme.ts'

/** Props of `ForcedTheme`. */
export type ForcedThemeProps = {
  /** Theme of the whole page while mounted; `null` forces none. */
  theme: string | null
  children?: ReactNode
}

/**
 * Forces a theme on the whole page while it is mounted; the innermost one that names a theme wins.
 * The user's preference stays stored.
 */
export function ForcedTheme({ theme, children }: ForcedThemeProps): ReactNode {
  const above = useContext(ThemeContext)
  const depth = above.depth + 1
  // A layout effect runs before the first paint of a navigation.
  useLayoutEffect(() => themeStoreOf(window).force(theme, depth), [theme, depth])
  // After each render, because a layout may have written the cookie's theme on <html>.
  useLayoutEffect(() => themeStoreOf(window).repaint())
  const inherited = theme ?? above.theme
  const here = useMemo(() => ({ theme: inherited, depth }), [inherited, depth])
  return <ThemeContext value={here}>{children}</ThemeContext>
}
