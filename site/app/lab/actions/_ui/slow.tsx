'use client'

import { type ReactNode, useActionState } from 'react'
import { takeTime } from './actions.ts'

/** Stands in the layout of the experiment, so that it outlives the pages in it. */
export function Slow(): ReactNode {
  const [done, run, isPending] = useActionState(takeTime, 'Not begun.')
  return (
    <form action={run} className="controls">
      <button type="submit" className="button" aria-busy={isPending}>
        Take six seconds
      </button>
      <output className="quiet">{isPending ? 'At work…' : done}</output>
    </form>
  )
}
