'use client'

import { type ReactNode, useActionState } from 'react'
import { count } from './actions.ts'

/** Each call gets the state that the one before it has returned. */
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
