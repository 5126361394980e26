'use client'

import type { ReactNode } from 'react'
import { consent, useConsent } from 'waymark/script'

export function AskForConsent(): ReactNode {
  const hasConsent = useConsent('lab')
  return (
    <p>
      <button
        type="button"
        className="button"
        onClick={() => consent('lab', true)}
        aria-pressed={hasConsent === true}
      >
        Agree
      </button>{' '}
      <button
        type="button"
        className="button"
        onClick={() => consent('lab', false)}
        aria-pressed={hasConsent === false}
      >
        Refuse
      </button>
    </p>
  )
}
