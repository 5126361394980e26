import type { ReactNode } from 'react'

/** The time at which the server rendered this very line. */
export function RenderedAt(): ReactNode {
  const now = new Date()
  return (
    <time dateTime={now.toISOString()} className="moment">
      {now.toISOString().replace('T', ' ').slice(0, 23)} UTC
    </time>
  )
}
