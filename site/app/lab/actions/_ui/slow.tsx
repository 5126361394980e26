'use client'

import { type ReactNode, useActionState } from 'react'
import { takeTime } from './actions.ts'

/**
 * A form with a slow action, in the experiment's layout. The action keeps running when the page changes.
 */
export function Slow(): ReactNode {
  const [done, run, isPending] = useActionState(takeTime, 'Not started.')
  return (
    <form action={run} className="controls">
      <button type="submit" className="button" aria-busy={isPending}>
        Take six seconds
      </button>
      <output className="quiet">{isPending ? 'Working…' : done}</output>
    </form>
  )
}
