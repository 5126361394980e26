'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'waymark'
import { onSeen } from './worker.ts'

const atATime = 6

/** Links that a button adds, with a count of the prefetches. */
export function PrefetchedLinks(): ReactNode {
  const [links, setLinks] = useState(0)
  const [prefetches, setPrefetches] = useState({ requested: 0, disturbed: 0 })
  useEffect(
    () =>
      onSeen(({ kind, fault }) => {
        if (kind !== 'prefetch') return
        const isDisturbed = fault !== 'none'
        setPrefetches(({ requested, disturbed }) => ({
          requested: requested + 1,
          disturbed: disturbed + (isDisturbed ? 1 : 0),
        }))
      }),
    [],
  )
  const numbers = Array.from({ length: links }, (_, index) => index + 1)
  return (
    <div className="stage">
      <p className="controls">
        <button type="button" className="button" onClick={() => setLinks(links + atATime)}>
          {atATime} more links
        </button>
      </p>
      <p className="controls">
        {numbers.map((n) => (
          <Link
            key={n}
            className="button"
            href={{ pathname: '/lab/faults/target/still', query: { n } }}
          >
            {n}
          </Link>
        ))}
      </p>
      <p className="quiet" role="status">
        Prefetched through the worker: {prefetches.requested}, with a fault: {prefetches.disturbed}.
      </p>
    </div>
  )
}
