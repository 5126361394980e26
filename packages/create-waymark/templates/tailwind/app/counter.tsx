'use client'

import { useState } from 'react'

export function Counter() {
  const [count, setCount] = useState(0)
  return (
    <button
      type="button"
      onClick={() => setCount(count + 1)}
      className="mt-3.5 min-w-28 cursor-pointer rounded-md border border-rule bg-raised px-4 py-2 text-ink tabular-nums hover:border-soft"
    >
      Count {count}
    </button>
  )
}
