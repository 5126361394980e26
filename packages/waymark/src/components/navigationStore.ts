/** How a navigation ended. */
export type NavigationOutcome =
  | 'committed'
  | 'superseded'
  | 'canceled'
  /** The browser loads the document itself. */
  | 'document'
  /** Its deadline passed, and then it was given up, or the document was loaded. */
  | 'timed-out'
  /** It could not be loaded, and a notice said so. */
  | 'failed'

/** How a navigation changes the history of the browser. */
export type NavigationKind = 'push' | 'replace' | 'traverse' | 'refresh'

/** The steps of a navigation; the detail is for logs and measurements. */
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

/** Events of the router, for an app that measures or logs them. */
export type RouterEvents = {
  on<Name extends keyof NavigationEvents>(
    name: Name,
    listener: (event: NavigationEvents[Name]) => void,
  ): () => void
  emit<Name extends keyof NavigationEvents>(name: Name, event: NavigationEvents[Name]): void
}
