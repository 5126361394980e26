'use client'

import type { ReactNode } from 'react'
import { Link } from 'waymark'
import type { ErrorScreenProps } from 'waymark/client'
import styles from './caught.module.css'

/** The screen of the error files of this experiment. */
export function Caught({
  where,
  side,
  error,
  reset,
  retry,
}: ErrorScreenProps & { where: string; side: 'client' | 'server' }): ReactNode {
  return (
    <>
      <h1 className={styles.heading}>
        Application error: a <span className={styles.side}>{side}-side</span> exception has
        occurred.
      </h1>
      <p>
        This screen comes from the lab’s own <code>{where}</code>.
      </p>
      <dl className="facts">
        <dt>message</dt>
        <dd>{error.message}</dd>
        <dt>digest</dt>
        <dd>
          <code>{error.digest ?? 'none: the error was thrown in the browser'}</code>
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
