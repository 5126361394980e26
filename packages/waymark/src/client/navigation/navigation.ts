import type {
  NavigationEvents,
  NavigationKind,
  NavigationState,
} from '../../components/navigationStore.ts'
import type { Emitter } from './events.ts'
import type { LoadedPage } from './fetchPage.ts'
import type { Page } from './page.ts'

/** Where to navigate, and how. */
export type NavigationRequest = {
  readonly kind: NavigationKind
  readonly url: URL
  readonly scroll: boolean
  /** The link that was clicked: it shows the pending state. */
  readonly link?: Element | null
  /** Of the entry that a traversal leads to. */
  readonly key?: string
  readonly signal?: AbortSignal | undefined
  /** Waits for all of the page, so that its status is the final one. */
  readonly wantsFinalStatus?: boolean
  /** The response of an action leads there: no blocker is asked. */
  readonly answer?: {
    /** The page that came with it, given out once; `null` when it has to be fetched. */
    take(): LoadedPage | null
  }
}

/** Events of the router, for an app that measures or logs them. */
export type RouterEvents = Emitter<NavigationEvents>

/** What a tab shows, and how far its navigation is. It changes by `nextTabState` only. */
export type TabState = {
  /** The page on the screen. */
  readonly page: Page
  readonly phase: NavigationState['state']
  /** The deadline has passed, and the user has chosen neither to wait nor to leave. */
  readonly isTimedOut: boolean
}

/** Steps of a navigation; `choose`: the user has decided what to do after the timeout. */
export type NavigationStep = 'attempt' | 'pending' | 'timeout' | 'choose' | 'fail' | 'end'

/** What happens to a tab: steps of its navigation, and changes of its page. */
export type TabEvent =
  | { readonly type: NavigationStep }
  | { readonly type: 'show'; readonly page: Page }
  /** The same page has another history entry, and perhaps another address. */
  | { readonly type: 'move'; readonly key: string; readonly url?: URL }

/** The state of a tab after an event: `idle → loading → slow → late → failed`, and back. */
export function nextTabState(state: TabState, event: TabEvent): TabState {
  const { page, phase } = state
  switch (event.type) {
    case 'attempt':
      return { page, phase: 'loading', isTimedOut: false }
    case 'pending':
      return phase === 'loading' ? { ...state, phase: 'slow' } : state
    case 'timeout':
      return { page, phase: 'late', isTimedOut: true }
    case 'choose':
      return { ...state, isTimedOut: false }
    case 'fail':
      // Left alone until it failed, it has timed out all the same.
      return { ...state, phase: 'failed' }
    case 'end':
      return { page, phase: 'idle', isTimedOut: false }
    case 'show':
      return { ...state, page: event.page }
    case 'move': {
      const { pathname, search } = event.url ?? page.route
      const route = { ...page.route, pathname, search }
      return { ...state, page: { ...page, key: event.key, route } }
    }
  }
}

/** Holds the state of a tab. */
export type Tab = {
  readonly state: TabState
  dispatch(event: TabEvent): void
}

export function createTab(page: Page): Tab {
  let state: TabState = { page, phase: 'idle', isTimedOut: false }
  return {
    get state() {
      return state
    },
    dispatch(event) {
      state = nextTabState(state, event)
    },
  }
}
