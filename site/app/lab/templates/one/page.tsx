import type { ReactNode } from 'react'

export default function Page(): ReactNode {
  return <p>This is page one.</p>
}
