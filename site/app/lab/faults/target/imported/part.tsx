import type { ReactNode } from 'react'

export default function Part(): ReactNode {
  return <p data-lab="lab code: import">The imported code has arrived.</p>
}
