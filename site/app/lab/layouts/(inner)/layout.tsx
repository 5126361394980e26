import type { ReactNode } from 'react'
import { Frame } from '../frame.tsx'

export default function InnerLayout({ children }: { children: ReactNode }) {
  return <Frame name="Inner layout">{children}</Frame>
}
