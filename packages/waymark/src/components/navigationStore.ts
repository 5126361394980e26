/** The result of a navigation. */
export type NavigationOutcome =
  | 'committed'
  | 'superseded'
  | 'canceled'
  /** The browser loads the target as a document. */
  | 'document'
  /** The navigation took too long. The user then canceled it or loaded the document. */
  | 'timed-out'
  /** The page couldn't be loaded, and a notice reported this. */
  | 'failed'

/** How a navigation changes the browser's history. */
export type NavigationKind = 'push' | 'replace' | 'traverse' | 'refresh'

/** A navigation's events with their details, for logs and measurements. */
export type NavigationEvents = {
  start: { readonly url: URL; readonly kind: NavigationKind }
  slow: { readonly url: URL }
  commit: { readonly url: URL; readonly kind: NavigationKind; readonly durationMs: number }
  timeout: { readonly url: URL }
  abort: { readonly url: URL }
  error: { readonly url: URL; readonly error: unknown }
}

export type NavigationState = {
  readonly state: 'idle' | 'loading' | 'slow' | 'late' | 'failed'
  readonly target: URL | null
  cancel(): void
  retry(): void
}

export type NavigationStore = ReturnType<typeof createNavigationStore>

export const idle: NavigationState = { state: 'idle', target: null, cancel() {}, retry() {} }

export function createNavigationStore() {
  let state = idle
  const listeners = new Set<() => void>()
  return {
    get: (): NavigationState => state,
    set(next: NavigationState): void {
      state = next
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The router's event emitter, for apps that log or measure navigations. */
export type RouterEvents = {
  on<Name extends keyof NavigationEvents>(
    name: Name,
    listener: (event: NavigationEvents[Name]) => void,
  ): () => void
  emit<Name extends keyof NavigationEvents>(name: Name, event: NavigationEvents[Name]): void
}
