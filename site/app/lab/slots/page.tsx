import type { ReactNode } from 'react'

export default function Main(): ReactNode {
  return <p>Main, index.</p>
}
