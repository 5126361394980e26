'use client'

import { type ReactNode, useContext, useLayoutEffect, useMemo } from 'react'
import { themeStoreOf } from './store.ts'
import { ThemeContext } from './useTheme.ts'

/** Props of `ForcedTheme`. */
export type ForcedThemeProps = {
  /** Theme of the whole page while the component is mounted. `null` forces no theme. */
  theme: string | null
  children?: ReactNode
}

/**
 * Forces a theme on the whole page while it is mounted. If several are mounted, the innermost one
 * with a theme counts. The user's stored preference doesn't change.
 */
export function ForcedTheme({ theme, children }: ForcedThemeProps): ReactNode {
  const above = useContext(ThemeContext)
  const depth = above.depth + 1
  // A layout effect runs before the first paint after a navigation.
  useLayoutEffect(() => themeStoreOf(window).force(theme, depth), [theme, depth])
  // A layout may have written the cookie's theme to <html>, so repaint after each render.
  useLayoutEffect(() => themeStoreOf(window).repaint())
  const inherited = theme ?? above.theme
  const here = useMemo(() => ({ theme: inherited, depth }), [inherited, depth])
  return <ThemeContext value={here}>{children}</ThemeContext>
}
