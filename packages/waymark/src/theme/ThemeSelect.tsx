'use client'

import type { ComponentProps, ReactNode } from 'react'
import { selectAttribute, selectStyle } from './themeStyles.ts'
import { useTheme } from './useTheme.ts'

/** Props of `ThemeSelect`. Other props go to its `<select>`. */
export type ThemeSelectProps = Omit<ComponentProps<'select'>, 'children' | 'value' | 'onChange'> & {
  label?: ReactNode
  /** Names of the themes to offer, in addition to `system`. Default: all configured themes. */
  themes?: readonly string[]
  /** Labels for the preferences, in the page's language. */
  names?: Readonly<Record<string, string>>
}

const defaultNames: Readonly<Record<string, string>> = {
  system: 'System',
  light: 'Light',
  dark: 'Dark',
}

/** A labelled list of themes. After hydration, it shows the user's preference. */
export function ThemeSelect(props: ThemeSelectProps): ReactNode {
  const { label = 'Theme', themes, names = {}, ...rest } = props
  const theme = useTheme()
  return (
    <>
      <style href="waymark-theme-select" precedence="waymark-theme-select">
        {selectStyle}
      </style>
      <label {...{ [selectAttribute]: '' }}>
        <span>{label}</span>
        <select
          {...rest}
          value={theme.preference}
          onChange={(event) => theme.setPreference(event.target.value)}
        >
          {['system', ...(themes ?? theme.themes)].map((name) => (
            <option key={name} value={name}>
              {names[name] ?? defaultNames[name] ?? name}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}
