'use client'

import { type ReactNode, useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'

/** A component that throws on demand, in an error boundary from a package. */
export function Fragile(): ReactNode {
  const [broken, setBroken] = useState(false)
  return (
    <div className="stage">
      <ErrorBoundary
        fallbackRender={({ resetErrorBoundary }) => (
          <p className="controls">
            <span>react-error-boundary caught the error.</span>
            <button type="button" className="button" onClick={resetErrorBoundary}>
              Reset
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
      <span>This component works.</span>
      <button type="button" className="button" onClick={breakIt}>
        Break it
      </button>
    </p>
  )
}

function Broken(): never {
  throw new Error('Broken on purpose, in a client component.')
}
