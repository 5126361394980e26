'use client'

import { useLive } from '@waymark/live/client'
import type { ReactNode } from 'react'
import styles from './board.module.css'

/** Shows whether the visible board is up to date. */
export function Freshness(): ReactNode {
  const { state, since } = useLive()
  return (
    <output className={styles.freshness} data-state={state}>
      {since ? `Behind since ${since.toLocaleTimeString('en-GB')}` : 'Up to date'}
    </output>
  )
}
