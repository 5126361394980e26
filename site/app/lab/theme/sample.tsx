'use client'

import type { ReactNode } from 'react'
import { useTheme } from 'waymark/client'

/** Sample elements, with the name of their theme. */
export function Sample(): ReactNode {
  const { resolved } = useTheme()
  return (
    <>
      <p>
        useTheme() returns <strong>{resolved}</strong>.
      </p>
      <p className="quiet">Quiet text, a rule,</p>
      <hr />
      <label className="field">
        <span>and a field</span>
        <input type="text" autoComplete="off" />
      </label>
    </>
  )
}
