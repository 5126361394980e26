import 'server-only'

type Listener = () => void

const listeners = new Set<Listener>()

/**
 * Notifies open pages of a change. Call this function after the change is stored. Only pages that are
 * connected to this process are notified.
 */
export function notifyChange(): void {
  for (const listener of listeners) listener()
}

export function onChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
