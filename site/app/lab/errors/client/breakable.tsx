'use client'

import { type ReactNode, useState } from 'react'

/** Throws in its next render after a click. */
export function Breakable(): ReactNode {
  const [broken, setBroken] = useState(false)
  if (broken) throw new Error('Thrown in the browser, on demand.')
  return (
    <button type="button" className="button" onClick={() => setBroken(true)}>
      Break it
    </button>
  )
}
