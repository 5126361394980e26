'use client'

import { useState } from 'react'

/** Counts clicks in the browser. */
export function Counter() {
  const [count, setCount] = useState(0)
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      {count} clicks
    </button>
  )
}
