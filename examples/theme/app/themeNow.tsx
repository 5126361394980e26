'use client'

import { useTheme } from 'waymark/client'

/** Says which theme holds here, and why. */
export function ThemeNow() {
  const { preference, system, resolved } = useTheme()
  return (
    <p>
      You prefer {preference}, your system {system}: here it is {resolved}.
    </p>
  )
}
