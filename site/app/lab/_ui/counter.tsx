'use client'

import { type ReactNode, useState } from 'react'

/** A button that counts its clicks, to make state visible. */
export function Counter({ label = 'Clicks' }: { label?: string }): ReactNode {
  const [count, setCount] = useState(0)
  return (
    <button type="button" className="button" onClick={() => setCount(count + 1)}>
      {label}: <output>{count}</output>
    </button>
  )
}
