'use client'

import { type ComponentProps, type ReactNode, useContext, useMemo } from 'react'
import type { ColorScheme, ThemeAttribute } from './config.ts'
import { schemeAttribute, scopeStyle } from './themeStyles.ts'
import { ThemeContext } from './useTheme.ts'

/** Props of `ThemeScope`. Other props go to its `<div>`. */
export type ThemeScopeProps = ComponentProps<'div'> & {
  theme: string
  /** Colour scheme. Set it for themes other than `light` and `dark`. */
  scheme?: ColorScheme
  /** Same attribute as in the app's theme settings. Default: `data-theme`. */
  attribute?: ThemeAttribute
}

/** Gives a part of the page its own theme. */
export function ThemeScope(props: ThemeScopeProps): ReactNode {
  const { theme, scheme = schemeOf(theme), attribute = 'data-theme', ...rest } = props
  const { depth } = useContext(ThemeContext)
  const here = useMemo(() => ({ theme, depth }), [theme, depth])
  const className = [rest.className, attribute === 'class' ? theme : ''].filter(Boolean).join(' ')
  const marked = attribute === 'class' ? {} : { [attribute]: theme }
  const named = className === '' ? {} : { className }
  return (
    <ThemeContext value={here}>
      <style href="waymark-theme-scope" precedence="waymark-theme-scope">
        {scopeStyle}
      </style>
      <div {...rest} {...named} {...marked} {...{ [schemeAttribute]: scheme }} />
    </ThemeContext>
  )
}

function schemeOf(theme: string): ColorScheme | undefined {
  return theme === 'light' || theme === 'dark' ? theme : undefined
}
