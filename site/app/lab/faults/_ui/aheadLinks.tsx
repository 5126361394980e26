'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'waymark'
import { onSeen } from './worker.ts'

const atATime = 6

/** Links that are added on demand, and which of their pages were prefetched. */
export function AheadLinks(): ReactNode {
  const [links, setLinks] = useState(0)
  const [ahead, setAhead] = useState({ asked: 0, disturbed: 0 })
  useEffect(
    () =>
      onSeen(({ kind, fault }) => {
        if (kind !== 'prefetch') return
        const isDisturbed = fault !== 'none'
        setAhead(({ asked, disturbed }) => ({
          asked: asked + 1,
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
        Fetched ahead, with the worker looking on: {ahead.asked}, of them disturbed:{' '}
        {ahead.disturbed}.
      </p>
    </div>
  )
}
