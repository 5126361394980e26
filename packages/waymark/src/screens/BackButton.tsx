'use client'

import { type ReactNode, useSyncExternalStore } from 'react'

/** Button that goes back in the history. Hidden without JavaScript and without a previous page. */
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
