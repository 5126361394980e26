'use client'

import type { ReactNode } from 'react'
import type { ErrorScreenProps } from 'waymark/client'

export default function ActionFailed({ error, retry }: ErrorScreenProps): ReactNode {
  return (
    <div className="stage" role="alert">
      <h2>The action failed</h2>
      <p>
        The browser only gets this digest of the error: <code>{error.digest}</code>
      </p>
      <button type="button" className="button" onClick={retry}>
        Try again
      </button>
    </div>
  )
}
