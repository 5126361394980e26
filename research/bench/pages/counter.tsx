'use client'
import { useState } from 'react'

/** The only client component of the measured pages. */
export function Counter({ start }: { start: number }) {
  const [count, setCount] = useState(start)
  return (
    <button type="button" className="counter" onClick={() => setCount(count + 1)}>
      Count {count}
    </button>
  )
}
