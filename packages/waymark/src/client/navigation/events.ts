/** Notifies listeners of events. */
export type Emitter<Events> = {
  /** @returns a function that ends it */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void
}

/** Creates an emitter. A listener that throws is reported, and stops no other. */
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
