'use client'

import type { ErrorScreenProps } from 'waymark/client'

/** Screen for errors, with their digest and a button to try again. */
export default function Failed({ error, retry }: ErrorScreenProps) {
  return (
    <>
      <h1>Something went wrong</h1>
      <p>
        If you report this, please mention <code>{error.digest}</code>.
      </p>
      <button type="button" onClick={retry}>
        Try again
      </button>
    </>
  )
}
