import type { LinkSettings } from '../../components/linkAttributes.ts'
import type {
  NavigationKind,
  NavigationState,
  NavigationStore,
  RouterEvents,
} from '../../components/navigationStore.ts'
import type { Blocker } from '../../components/routerContext.ts'
import type { NavigationSettings } from '../../shared/settings.ts'
import type { DataChange } from '../../wire/callHeaders.ts'
import type { Payload } from '../../wire/payload.ts'
import { readSessionMark, sessionMarkKey } from '../document/sessionMark.ts'
import type { JoinedPrefetch, LoadedPage, PrefetchedData } from './fetchPage.ts'
import type { Background, HistoryEntries } from './historyEntries.ts'
import type { NavigationNotice } from './navigationNotice.ts'
import { movedPage, type Page } from './page.ts'
import type { AnnouncedRoute } from './routeAnnouncer.ts'
import type { ScrollMemory } from './scroll.ts'

/**
 * Reason why the rest of a page is missing: the connection ended early, or data stopped arriving.
 */
export type Break = 'cut' | 'silent'

export type NavigationRequest = Partial<LinkSettings> & {
  readonly kind: NavigationKind
  readonly url: URL
  readonly scroll: boolean
  /** The href that the app has passed. It isn't validated and may lead to a different site. */
  readonly href?: string
  /** The clicked link, which shows the pending state. */
  readonly link?: Element | null
  /** Key of the history entry to which a traversal leads. */
  readonly key?: string
  /** The page behind the entry's page; `null` if the entry's page fills the screen. */
  readonly over?: Background | null
  readonly signal?: AbortSignal | undefined
  /** Place in the page where a component threw a signal, and where the screen is shown. */
  readonly screenPlace?: string | undefined
  /**
   * True for a refresh in the background, which shows no notices and reports a failure only to the caller.
   */
  readonly isQuiet?: boolean
  /**
   * Set if the current page arrived incomplete. The page is then fetched again until it is
   * complete.
   */
  readonly repairs?: Break | undefined
  /** Set if an action's response leads to the URL, in which case blockers aren't asked. */
  readonly fromAction?: {
    /** The page in the response, until it is used; `null` if the page must be fetched. */
    page: LoadedPage | null
  }
}

export type Navigation = {
  readonly request: NavigationRequest
  readonly before: Page
  /** True once the target's shell is shown and has a history entry, which the page will replace. */
  hasShell: boolean
  /** The element that had the focus when the user left the previous page. */
  focused: Element | null
  /**
   * True if the navigation shows a previous page whose data has changed. The page is then
   * refreshed.
   */
  isOutdated: boolean
}

/**
 * String that all tabs of a site share, and that is replaced whenever the session may have changed.
 */
export type SessionMark = ReturnType<typeof createSessionMark>

/**
 * Creates a session mark.
 * @param storage may throw if the browser blocks storage. Each tab then only knows about its own
 * changes.
 */
export function createSessionMark(storage: () => Storage) {
  let lastMark = readSessionMark(storage)
  return {
    renew(): void {
      lastMark = `${Date.now()} ${Math.random()}`
      try {
        storage().setItem(sessionMarkKey, lastMark)
      } catch {
        // Without storage, the mark can't be shared with other tabs, so forget it.
        lastMark = null
      }
    },
    /** True if another tab has renewed the mark since the last call. */
    hasChanged(): boolean {
      const before = lastMark
      lastMark = readSessionMark(storage)
      return lastMark !== before
    },
  }
}

/** Objects that all navigations of a document share. */
export type NavigationContext = {
  readonly tab: BrowserTab
  readonly settings: NavigationSettings
  readonly history: HistoryEntries
  readonly scroll: ScrollMemory
  readonly announce: (arrival: AnnouncedRoute) => void
  readonly blockers: ReadonlySet<Blocker>
  readonly events: RouterEvents
  readonly store: NavigationStore
  readonly notice: NavigationNotice
  readonly session: SessionMark
  readonly prefetch: { consume(url: URL): PrefetchedData | JoinedPrefetch | null }
  readonly build: string | null
  readonly now: () => number
  readonly hydrated: Promise<void>
  readonly isDirty: () => boolean
  /** Saves typed text, so that the next document of the same page can restore it. */
  readonly saveDraft: () => void
  /**
   * Loads the code and styles of a page whose payload was decoded after `sinceMs`
   * (`performance.now()`).
   */
  readonly loadAssets: (payload: Payload, signal: AbortSignal, sinceMs?: number) => Promise<void>
  /** Returns true if code of the current page is missing, in which case navigations load documents. */
  readonly lacksCode: () => boolean
  readonly show: (page: Page, signal: AbortSignal) => Promise<void>
  /** Shows the current page at the address that the app has written, in the app's own React update. */
  readonly setAddress: (page: Page) => void
  /** Shows a new rendering of the current page. @returns false if a different page is about to be shown */
  readonly rerender: (page: Page) => boolean
  /** Called when the rest of the current page is lost. The page is then fetched again. */
  readonly onBroken: (how: Break) => void
}

/** A tab's pages and the phase of its navigation. Only `nextTabState` changes this state. */
export type TabState = {
  readonly page: Page
  /** Previous pages, latest first, which stay mounted for going back. */
  readonly previous: readonly Page[]
  /**
   * Number of data changes so far. A page with a lower version is fetched again before it is shown.
   */
  readonly version: number
  /** Version at the start of the session. Pages with a lower version don't stay mounted. */
  readonly sessionVersion: number
  readonly phase: NavigationState['state']
  /** True if the time limit has passed and the user has answered neither "wait" nor "leave". */
  readonly isTimedOut: boolean
}

/** Steps of a navigation. `choose` means that the user has answered the timeout notice. */
export type NavigationStep = 'attempt' | 'pending' | 'timeout' | 'choose' | 'fail' | 'end'

export type TabEvent =
  | { readonly type: NavigationStep }
  | { readonly type: 'invalidate'; readonly change: DataChange }
  /** A navigation shows a different page. At most `keepPages` previous pages stay mounted. */
  | {
      readonly type: 'commit'
      readonly page: Page
      readonly kind: NavigationKind
      readonly keepPages: number
    }
  | { readonly type: 'rerender'; readonly page: Page }
  | { readonly type: 'forget'; readonly page: Page }
  | { readonly type: 'move'; readonly key: string; readonly url?: URL }

/** Returns the state of a tab after an event. The phases are `idle → loading → slow → late → failed`. */
export function nextTabState(state: TabState, event: TabEvent): TabState {
  const { page, previous, phase } = state
  switch (event.type) {
    case 'attempt':
      return { ...state, phase: 'loading', isTimedOut: false }
    case 'pending':
      return phase === 'loading' ? { ...state, phase: 'slow' } : state
    case 'timeout':
      return { ...state, phase: 'late', isTimedOut: true }
    case 'choose':
      return { ...state, isTimedOut: false }
    case 'fail':
      // Don't reset `isTimedOut`, which is still true if the navigation failed before the user
      // answered the notice.
      return { ...state, phase: 'failed' }
    case 'end':
      return { ...state, phase: 'idle', isTimedOut: false }
    case 'commit': {
      const others = previous.filter(({ key }) => key !== event.page.key && key !== page.key)
      const isReplaced = event.kind === 'refresh' || event.kind === 'replace'
      const pages = isReplaced || !staysMounted(state, page) ? others : [page, ...others]
      return { ...state, page: event.page, previous: pages.slice(0, event.keepPages) }
    }
    case 'rerender':
      return { ...state, page: event.page }
    case 'invalidate': {
      const version = state.version + 1
      if (event.change === 'data') return { ...state, version }
      return { ...state, version, sessionVersion: version, previous: [] }
    }
    case 'forget':
      return { ...state, previous: previous.filter((each) => each !== event.page) }
    case 'move':
      return { ...state, page: movedPage(page, event) }
  }
}

/** True if data has changed since the page was fetched. */
export function isOutdated({ version }: TabState, page: Page): boolean {
  return page.version < version
}

/**
 * True if a page stays mounted after the user has left it: it must belong to the current session
 * and must not be a shell.
 */
export function staysMounted({ sessionVersion }: TabState, { isShell, version }: Page): boolean {
  return !isShell && version >= sessionVersion
}

export type BrowserTab = ReturnType<typeof createTab>

export function createTab(page: Page) {
  const { version } = page
  let state: TabState = {
    page,
    previous: [],
    version,
    sessionVersion: version,
    phase: 'idle',
    isTimedOut: false,
  }
  return {
    get state(): TabState {
      return state
    },
    dispatch(event: TabEvent): void {
      state = nextTabState(state, event)
    },
  }
}
