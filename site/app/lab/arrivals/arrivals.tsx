'use client'

import { type Arrival, listArrivals, onArrival } from '@waymark/arrivals'
import { type ReactNode, useSyncExternalStore } from 'react'
import styles from './arrivals.module.css'

const none: readonly Arrival[] = []

/** A list of this document's page loads. */
export function Arrivals(): ReactNode {
  const arrivals = useSyncExternalStore(onArrival, listArrivals, () => none)
  if (arrivals.length === 0) return <p className="stage quiet">No loads yet.</p>
  return (
    <ol className={styles.list} aria-live="polite" aria-label="Loads of this document">
      {arrivals.map(({ route, kind, outcome, ms, endedAtMs }) => (
        <li key={`${endedAtMs} ${route} ${kind}`} className={styles.arrival}>
          <code>{route ?? 'without a route'}</code>
          <strong className={styles.outcome} data-outcome={outcome}>
            {outcome}
          </strong>
          <span className={styles.fact}>
            {kind}, {new Date(endedAtMs).toLocaleTimeString('en-GB')}
          </span>
          <span className={styles.ms}>{ms === null ? '–' : `${ms} ms`}</span>
        </li>
      ))}
    </ol>
  )
}
