import type { ReactNode } from 'react'

/** What comes with the imported code. */
export default function Part(): ReactNode {
  return <p data-lab="lab code: import">The imported code has come.</p>
}
