import 'server-only'

type Listener = () => void

const listeners = new Set<Listener>()

/** Call it after a change is stored. It reaches the pages that this process serves. */
export function notifyChange(): void {
  for (const listener of listeners) listener()
}

export function onChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
