'use client'

import type { ComponentProps, ReactNode } from 'react'
import { selectAttribute, selectStyle } from './themeStyles.ts'
import { useTheme } from './useTheme.ts'

/** Props of `ThemeSelect`; all others go to its `<select>`. */
export type ThemeSelectProps = Omit<ComponentProps<'select'>, 'children' | 'value' | 'onChange'> & {
  /** The visible label. */
  label?: ReactNode
  /** Names of the themes on offer, beside `system`; all that are configured by default. */
  themes?: readonly string[]
  /** What each preference is called, in the page's language. */
  names?: Readonly<Record<string, string>>
}

const defaultNames: Readonly<Record<string, string>> = {
  system: 'System',
  light: 'Light',
  dark: 'Dark',
}

/** A labelled list of the themes; it shows the user's preference once it is hydrated. */
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
