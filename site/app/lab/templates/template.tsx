import type { ReactNode } from 'react'
import { Counter } from '../_ui/counter.tsx'
import { Mounts } from './mounts.tsx'

export default function Template({ children }: { children: ReactNode }) {
  return (
    <div className="stage">
      <p className="controls">
        <Counter label="In the template" />
        <Mounts />
      </p>
      {children}
    </div>
  )
}
