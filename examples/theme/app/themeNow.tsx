'use client'

import { useTheme } from 'waymark/client'

/** Shows the theme that applies here, and why. */
export function ThemeNow() {
  const { preference, system, resolved } = useTheme()
  return (
    <p>
      You prefer {preference}, your system prefers {system}, and this part is {resolved}.
    </p>
  )
}
