'use client'

import type { ReactNode } from 'react'
import type { ErrorScreenProps } from 'waymark/client'

export default function ImportFailed({ reset }: ErrorScreenProps): ReactNode {
  return (
    <div className="stage" role="alert">
      <h2>The code couldn’t be loaded</h2>
      <button type="button" className="button" onClick={reset}>
        Try again
      </button>
    </div>
  )
}
