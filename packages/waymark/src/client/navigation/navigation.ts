import type { Emitter, NavigationEvents, NavigationKind } from './events.ts'
import type { LoadedPage } from './fetchPage.ts'

/** What became of a navigation. */
export type NavigationOutcome =
  | 'committed'
  /** A later one took its place. */
  | 'superseded'
  /** The person gave it up. */
  | 'canceled'
  /** The browser loads the document itself. */
  | 'document'
  /**
   * Its deadline passed, and then it was given up, or the browser sent to the document because
   * nobody chose.
   */
  | 'timed-out'
  /** It could not be loaded, and the person was told so. */
  | 'failed'

/** A navigation as its reader sees it. */
export type NavigationState = {
  readonly state: 'idle' | 'loading' | 'slow' | 'late' | 'failed'
  /** Where it leads; `null` when idle. */
  readonly target: URL | null
  cancel(): void
  retry(): void
}

/** A navigation that was asked for. */
export type NavigationRequest = {
  readonly kind: NavigationKind
  readonly url: URL
  readonly scroll: boolean
  /** The link that was clicked: it shows the pending state. */
  readonly link?: Element | null
  /** Of the entry that a traversal leads to. */
  readonly key?: string
  readonly signal?: AbortSignal | undefined
  /** Waits for all of the page, so that its status is the true one. */
  readonly isPatient?: boolean
  /** The answer of an action leads there: the person has decided already. */
  readonly answer?: {
    /** The page that came with it, given out once; `null` when it has to be fetched. */
    take(): LoadedPage | null
  }
}

/** The state of navigations, for `useNavigation`. */
export type NavigationStore = {
  get(): NavigationState
  set(state: NavigationState): void
  subscribe(listener: () => void): () => void
}

/** No navigation is running. */
export const idle: NavigationState = {
  state: 'idle',
  target: null,
  cancel() {},
  retry() {},
}

/** Makes the store. */
export function createNavigationStore(): NavigationStore {
  let state = idle
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set(next) {
      state = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Events of the router, for an app that measures or logs them. */
export type RouterEvents = Emitter<NavigationEvents>
