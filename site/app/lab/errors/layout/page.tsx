import type { ReactNode } from 'react'

export default function Never(): ReactNode {
  return <p>Nobody sees this.</p>
}
