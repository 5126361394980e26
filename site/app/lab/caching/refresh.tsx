import type { ReactNode } from 'react'
import { endReading } from './actions.ts'

/** Invalidates the tag with a form that also works without a script. */
export function Refresh(): ReactNode {
  return (
    <form action={endReading} className="controls">
      <button type="submit" className="button">
        Invalidate the tag
      </button>
    </form>
  )
}
