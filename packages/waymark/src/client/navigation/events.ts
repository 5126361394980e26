/** What a navigation goes through; the detail is for logs and measurements. */
export type NavigationEvents = {
  start: { readonly url: URL; readonly kind: NavigationKind }
  /** The pending state shows. */
  slow: { readonly url: URL }
  commit: { readonly url: URL; readonly kind: NavigationKind; readonly durationMs: number }
  timeout: { readonly url: URL }
  abort: { readonly url: URL }
  error: { readonly url: URL; readonly error: unknown }
}

/** How a navigation changes the history. */
export type NavigationKind = 'push' | 'replace' | 'traverse' | 'refresh'

/** Tells listeners of events. */
export type Emitter<Events> = {
  /** @returns a function that ends it */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void
}

/** Makes an emitter. A listener that throws is reported, and stops no other. */
export function createEmitter<Events>(): Emitter<Events> {
  const listeners = new Map<keyof Events, Set<(event: never) => void>>()
  return {
    on(name, listener) {
      const named = listeners.get(name) ?? new Set()
      listeners.set(name, named.add(listener as (event: never) => void))
      return () => named.delete(listener as (event: never) => void)
    },
    emit(name, event) {
      for (const listener of listeners.get(name) ?? []) {
        try {
          listener(event as never)
        } catch (error) {
          reportError(error)
        }
      }
    },
  }
}
