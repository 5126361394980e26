import type { ReactNode } from 'react'

export default function Team(): ReactNode {
  return <p>Team, more.</p>
}
