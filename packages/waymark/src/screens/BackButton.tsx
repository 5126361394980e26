'use client'

import { type ReactNode, useSyncExternalStore } from 'react'

/**
 * Goes back in the session history. It shows itself only where it works: in a browser with
 * scripts, on a page that has one before it.
 */
export function BackButton({ label }: { label: string }): ReactNode {
  const canGoBack = useSyncExternalStore(
    neverChanges,
    () => window.history.length > 1,
    () => false,
  )
  return (
    <button
      type="button"
      hidden={!canGoBack}
      data-waymark-back=""
      onClick={() => window.history.back()}
    >
      {label}
    </button>
  )
}

const neverChanges = () => () => {}
