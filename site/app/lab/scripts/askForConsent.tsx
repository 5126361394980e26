'use client'

import type { ReactNode } from 'react'
import { consent, useConsent } from 'waymark/script'

export function AskForConsent(): ReactNode {
  const isGiven = useConsent('lab')
  return (
    <p>
      <button
        type="button"
        className="button"
        onClick={() => consent('lab', true)}
        aria-pressed={isGiven === true}
      >
        Agree
      </button>{' '}
      <button
        type="button"
        className="button"
        onClick={() => consent('lab', false)}
        aria-pressed={isGiven === false}
      >
        Refuse
      </button>
    </p>
  )
}
