'use client'

import type { ErrorScreenProps } from 'waymark/client'

/** When something is thrown: what failed, by its digest, and a way to try again. */
export default function Failed({ error, retry }: ErrorScreenProps) {
  return (
    <>
      <h1>That did not work</h1>
      <p>
        It is noted as <code>{error.digest}</code>.
      </p>
      <button type="button" onClick={retry}>
        Try again
      </button>
    </>
  )
}
