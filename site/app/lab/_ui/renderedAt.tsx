import type { ReactNode } from 'react'

/** Shows when the server rendered this component. */
export function RenderedAt(): ReactNode {
  const now = new Date()
  return (
    <time dateTime={now.toISOString()} className="moment">
      {now.toISOString().replace('T', ' ').slice(0, 23)} UTC
    </time>
  )
}
