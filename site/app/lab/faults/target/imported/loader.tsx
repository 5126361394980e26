'use client'

import { lazy, type ReactNode, Suspense, useState } from 'react'

const Part = lazy(() => import('./part.tsx'))

/** Imports code when somebody presses the button. */
export function Loader(): ReactNode {
  const [isWanted, setWanted] = useState(false)
  return (
    <div className="stage">
      <button type="button" className="button" onClick={() => setWanted(true)}>
        Import the code
      </button>
      {isWanted && (
        <Suspense fallback={<p className="quiet">Loading…</p>}>
          <Part />
        </Suspense>
      )}
    </div>
  )
}
