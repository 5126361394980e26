'use client'

import { useSyncExternalStore } from 'react'

type Consents = Readonly<Record<string, boolean>>

const storageKey = 'consent'
const changed = 'waymark:consent'

// The document's consents, for browsers that block storage.
const unstored: Record<string, boolean> = {}

/**
 * Stores a user's decision in this browser. Scripts that wait for this consent load at once.
 * Withdrawing consent doesn't stop a script that is already running.
 * @param name the same name as in `consent` of `<Script>`
 */
export function consent(name: string, isGranted: boolean): void {
  unstored[name] = isGranted
  try {
    window.localStorage.setItem(
      storageKey,
      JSON.stringify({ ...readConsents(), [name]: isGranted }),
    )
  } catch {
    // If storage is blocked or full, the decision only lasts as long as this document.
  }
  window.dispatchEvent(new CustomEvent(changed, { detail: { [name]: isGranted } }))
}

/** Returns the user's decision: true, false, or `null` before a decision and on the server. */
export function useConsent(name: string): boolean | null {
  return useSyncExternalStore(
    subscribe,
    () => readConsents()[name] ?? null,
    () => null,
  )
}

function readConsents(): Consents {
  try {
    const stored = JSON.parse(window.localStorage.getItem(storageKey) ?? '{}') as unknown
    const entries = Object.entries(stored ?? {}).filter(([, value]) => typeof value === 'boolean')
    return { ...unstored, ...(Object.fromEntries(entries) as Consents) }
  } catch {
    return unstored
  }
}

function subscribe(listener: () => void): () => void {
  const events = [changed, 'storage']
  for (const event of events) window.addEventListener(event, listener)
  return () => {
    for (const event of events) window.removeEventListener(event, listener)
  }
}
