'use client'

import { useSyncExternalStore } from 'react'

type Consents = Readonly<Record<string, boolean>>

const storageKey = 'consent'
const changed = 'waymark:consent'

// Consents of this document, for browsers that store nothing.
const unstored: Record<string, boolean> = {}

/**
 * Stores what a person has agreed to, for this browser. Scripts that wait for it are loaded at
 * once; one that runs already stays until the document is left.
 * @param name as in `consent` of `<Script>`
 */
export function consent(name: string, isGranted: boolean): void {
  unstored[name] = isGranted
  try {
    window.localStorage.setItem(
      storageKey,
      JSON.stringify({ ...readConsents(), [name]: isGranted }),
    )
  } catch {
    // Storage is off, or full: it counts for this document.
  }
  window.dispatchEvent(new CustomEvent(changed, { detail: { [name]: isGranted } }))
}

/** True or false once a person has decided; `null` before, and on the server. */
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
