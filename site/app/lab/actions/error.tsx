'use client'

import type { ReactNode } from 'react'
import type { ErrorScreenProps } from 'waymark/client'

export default function ActionFailed({ error, retry }: ErrorScreenProps): ReactNode {
  return (
    <div className="stage" role="alert">
      <h2>The action has thrown</h2>
      <p>
        Of what went wrong, this digest is all that came here: <code>{error.digest}</code>
      </p>
      <button type="button" className="button" onClick={retry}>
        Try again
      </button>
    </div>
  )
}
