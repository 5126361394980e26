import type { ReactNode } from 'react'
import { endReading } from './actions.ts'

/** Ends the tag: a form that works without a script, too. */
export function Refresh(): ReactNode {
  return (
    <form action={endReading} className="controls">
      <button type="submit" className="button">
        End the tag
      </button>
    </form>
  )
}
