import type { ReactNode } from 'react'
import { Stamp } from '../stamp.tsx'

export default function Built(): ReactNode {
  return <Stamp title="A static page" />
}
