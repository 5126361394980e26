'use client'

import type { ReactNode } from 'react'
import type { ErrorScreenProps } from 'waymark/client'

export default function ImportFailed({ reset }: ErrorScreenProps): ReactNode {
  return (
    <div className="stage" role="alert">
      <h2>The code could not be had</h2>
      <button type="button" className="button" onClick={reset}>
        Try again
      </button>
    </div>
  )
}
