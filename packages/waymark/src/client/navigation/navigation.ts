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

/** How the rest of a page is lost: its connection has ended early, or brings nothing any more. */
export type Break = 'cut' | 'silent'

export type NavigationRequest = Partial<LinkSettings> & {
  readonly kind: NavigationKind
  readonly url: URL
  readonly scroll: boolean
  /** The href that code of the app has passed, unchecked: it may lead to another site. */
  readonly href?: string
  /** The link that was clicked: it shows the pending state. */
  readonly link?: Element | null
  /** Of the entry that a traversal leads to. */
  readonly key?: string
  /** The page behind the entry's page; `null` if that page fills the screen. */
  readonly over?: Background | null
  readonly signal?: AbortSignal | undefined
  /** The place in which a component threw a signal: the page shows a screen there. */
  readonly screenPlace?: string | undefined
  /** Nobody waits for it: the page on the screen was changed. What fails is told to the caller. */
  readonly isQuiet?: boolean
  /** The rest of the page on the screen was lost: it is fetched until all of it has arrived. */
  readonly repairs?: Break | undefined
  /** The response of an action leads there: no blocker stops it. */
  readonly fromAction?: {
    /** The page that came with it, until it was used; `null` when it has to be fetched. */
    page: LoadedPage | null
  }
}

export type Navigation = {
  readonly request: NavigationRequest
  readonly before: Page
  /** Its shell is on the screen, with a history entry: the page itself replaces that. */
  hasShell: boolean
  /** The focused element when the page was left. */
  focused: Element | null
  /** It shows a previous page that was changed meanwhile: it is refreshed afterwards. */
  isOutdated: boolean
}

/** A text that all tabs of a site share. It changes with the session. */
export type SessionMark = ReturnType<typeof createSessionMark>

/** @param storage throws where a browser allows none: then each tab knows of its own changes only */
export function createSessionMark(storage: () => Storage) {
  let lastMark = readSessionMark(storage)
  return {
    renew(): void {
      lastMark = `${Date.now()} ${Math.random()}`
      try {
        storage().setItem(sessionMarkKey, lastMark)
      } catch {
        // Not shared.
        lastMark = null
      }
    },
    /** Tells whether another tab has renewed it since the last look. */
    hasChanged(): boolean {
      const before = lastMark
      lastMark = readSessionMark(storage)
      return lastMark !== before
    },
  }
}

/** Shared by all navigations of a document. */
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
  /** Saves what was typed for the next document of this page. */
  readonly saveDraft: () => void
  /** Loads code and styles of a page, whose payload was decoded since (`performance.now()`). */
  readonly loadAssets: (payload: Payload, signal: AbortSignal, sinceMs?: number) => Promise<void>
  /** True if components of the current page have no code: then only a document helps. */
  readonly lacksCode: () => boolean
  readonly show: (page: Page, signal: AbortSignal) => Promise<void>
  /** Shows a later rendering of the page. @returns false while another is about to be shown */
  readonly rerender: (page: Page) => boolean
  /** The rest of a page that is shown was cut: it has to be fetched again. */
  readonly onBroken: (how: Break) => void
}

/** The pages of a tab and the phase of its navigation. Only `nextTabState` changes it. */
export type TabState = {
  readonly page: Page
  /** Pages that were left, the latest first: they stay mounted for going back. */
  readonly previous: readonly Page[]
  /** How many changes there were: pages of before are fetched again before they are shown. */
  readonly version: number
  /** The version that the session began with: pages of before are dropped. */
  readonly sessionVersion: number
  readonly phase: NavigationState['state']
  /** The deadline has passed, and the user has chosen neither to wait nor to leave. */
  readonly isTimedOut: boolean
}

/** Steps of a navigation; `choose`: the user has decided what to do after the timeout. */
export type NavigationStep = 'attempt' | 'pending' | 'timeout' | 'choose' | 'fail' | 'end'

export type TabEvent =
  | { readonly type: NavigationStep }
  | { readonly type: 'invalidate'; readonly change: DataChange }
  /** A navigation shows another page; at most `keepPages` previous ones stay. */
  | {
      readonly type: 'commit'
      readonly page: Page
      readonly kind: NavigationKind
      readonly keepPages: number
    }
  | { readonly type: 'rerender'; readonly page: Page }
  | { readonly type: 'forget'; readonly page: Page }
  | { readonly type: 'move'; readonly key: string; readonly url?: URL }

/** The state of a tab after an event: `idle → loading → slow → late → failed`, and back. */
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
      // Left alone until it failed, it has timed out all the same.
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

/** True if a page stays mounted after it was left: no mere shell, and of the same session. */
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
