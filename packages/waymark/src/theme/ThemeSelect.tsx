'use client'

import type { ComponentProps, ReactNode } from 'react'
import { selectAttribute, selectStyle } from './themeStyles.ts'
import { useTheme } from './useTheme.ts'

/** Props of `ThemeSelect`. Other props go to its `<select>`. */
export type ThemeSelectProps = Omit<ComponentProps<'select'>, 'children' | 'value' | 'onChange'> & {
  label?: ReactNode
  /** Theme names to offer besides `system`. Default: all configured themes. */
  themes?: readonly string[]
  /** Labels of the preferences in the page's language. */
  names?: Readonly<Record<string, string>>
}

const defaultNames: Readonly<Record<string, string>> = {
  system: 'System',
  light: 'Light',
  dark: 'Dark',
}

/** A labelled list of themes. It shows the user's preference after hydration. */
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
