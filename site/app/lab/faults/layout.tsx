import type { ReactNode } from 'react'
import { FaultControls } from './_ui/controls.tsx'

// The controls stay while the pages below them come and go, or do not.
export default function Faults({ children }: { children: ReactNode }): ReactNode {
  return (
    <>
      <h1>Faults on the way</h1>
      <p>
        Choose what shall go wrong with the next page, then go there. A service worker between this
        page and the server does it, for the pages below <code>/lab/faults</code> only.
      </p>
      <FaultControls />
      {children}
    </>
  )
}
