'use client'

import { type ReactNode, useActionState } from 'react'
import { count } from './actions.ts'

/** A counter whose action gets the result of the previous call. */
export function Counter(): ReactNode {
  const [total, run, isPending] = useActionState(count, 0)
  return (
    <form action={run} className="controls" data-waymark-repeat="">
      <button type="submit" className="button" aria-busy={isPending}>
        Count
      </button>
      <output>{total}</output>
    </form>
  )
}
