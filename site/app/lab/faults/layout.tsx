import type { ReactNode } from 'react'
import { FaultControls } from './_ui/controls.tsx'

// Render the controls in a layout, so that they stay while the pages below change or fail.
export default function Faults({ children }: { children: ReactNode }): ReactNode {
  return (
    <>
      <h1>Network faults</h1>
      <p>
        Choose a fault, then click a link to a target. A service worker between this page and the
        server causes the fault. It only affects pages below <code>/lab/faults</code>.
      </p>
      <FaultControls />
      {children}
    </>
  )
}
