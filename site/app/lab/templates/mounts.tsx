'use client'

import { type ReactNode, useEffect, useState } from 'react'

let mounts = 0

/** Counts how often it has been mounted. */
export function Mounts(): ReactNode {
  const [count, setCount] = useState<number | null>(null)
  useEffect(() => {
    // Strict Mode mounts twice in development; the second within the same tick is not counted.
    const timer = setTimeout(() => setCount(++mounts))
    return () => clearTimeout(timer)
  }, [])
  return <span className="quiet">mounted {count ?? '…'} times</span>
}
