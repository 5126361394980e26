'use client'

import { type ReactNode, useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'

/** A part that breaks on demand, in a boundary from a package. */
export function Fragile(): ReactNode {
  const [broken, setBroken] = useState(false)
  return (
    <div className="stage">
      <ErrorBoundary
        fallbackRender={({ resetErrorBoundary }) => (
          <p className="controls">
            <span>react-error-boundary caught it.</span>
            <button type="button" className="button" onClick={resetErrorBoundary}>
              Mend it
            </button>
          </p>
        )}
        onReset={() => setBroken(false)}
      >
        {broken ? <Broken /> : <Whole breakIt={() => setBroken(true)} />}
      </ErrorBoundary>
    </div>
  )
}

function Whole({ breakIt }: { breakIt: () => void }): ReactNode {
  return (
    <p className="controls">
      <span>This part is whole.</span>
      <button type="button" className="button" onClick={breakIt}>
        Break it
      </button>
    </p>
  )
}

function Broken(): never {
  throw new Error('Broken on purpose, in a client component.')
}
