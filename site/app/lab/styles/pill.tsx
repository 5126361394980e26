'use client'

import { type ReactNode, useState } from 'react'
import styles from './pill.module.css'

/** A client component with its own CSS module. */
export function Pill(): ReactNode {
  const [on, setOn] = useState(false)
  return (
    <button
      type="button"
      className={`${styles.pill} ${on ? styles.on : ''}`}
      aria-pressed={on}
      onClick={() => setOn(!on)}
    >
      {on ? 'on' : 'off'}
    </button>
  )
}
