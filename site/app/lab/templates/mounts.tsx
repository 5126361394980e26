'use client'

import { type ReactNode, useEffect, useState } from 'react'

let mounts = 0

/** Shows how often the component has been mounted. */
export function Mounts(): ReactNode {
  const [count, setCount] = useState<number | null>(null)
  useEffect(() => {
    // Strict Mode mounts twice within one tick in development. The timer makes this count as one mount.
    const timer = setTimeout(() => setCount(++mounts))
    return () => clearTimeout(timer)
  }, [])
  return <span className="quiet">mounted {count ?? '…'} times</span>
}
