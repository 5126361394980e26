'use client'

import type { ReactNode } from 'react'
import { Link } from 'waymark'
import type { ErrorScreenProps } from 'waymark/client'

/** What an error file of this experiment shows. */
export function Caught({
  where,
  error,
  reset,
  retry,
}: ErrorScreenProps & { where: string }): ReactNode {
  return (
    <>
      <h1>Caught by {where}</h1>
      <dl className="facts">
        <dt>message</dt>
        <dd>{error.message}</dd>
        <dt>digest</dt>
        <dd>
          <code>{error.digest ?? 'none: it was thrown in the browser'}</code>
        </dd>
      </dl>
      <p className="controls">
        <button type="button" className="button" onClick={retry}>
          Retry
        </button>
        <button type="button" className="button" onClick={reset}>
          Reset
        </button>
        <Link className="button" href="/lab/errors">
          Back to the experiment
        </Link>
      </p>
    </>
  )
}
