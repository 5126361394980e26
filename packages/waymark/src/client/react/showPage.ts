import { startTransition } from 'react'
import type { Pages } from '../../components/App.tsx'
import type { NavigationSettings } from '../../shared/settings.ts'
import { DocumentNeeded } from '../navigation/fetchPage.ts'
import { staysMounted, type TabState } from '../navigation/navigation.ts'
import type { Page } from '../navigation/page.ts'
import type { RootStore } from './rootStore.ts'

type ShowOptions = {
  /** It has the pages that were left, for going back. */
  readonly state: TabState
  /** How many of these stay mounted. */
  readonly keepMounted: number
} & Patience

/** Decides how long a page that is fetched waits for React to take over the document. */
type Patience = {
  readonly signal: AbortSignal
  /** A new document would lose typed text. */
  readonly isDirty: () => boolean
}

/**
 * Shows a page; resolves once it is on the screen, or `signal` aborts.
 * @throws DocumentNeeded when React has not taken over the document
 */
export async function showPage(
  store: RootStore,
  page: Page,
  { state, keepMounted, signal, isDirty }: ShowOptions,
): Promise<void> {
  // React may wait for code that can't be loaded: the HTML of a document needs none.
  const isReady =
    store.isAttached || (await isInTime(store.hydrated, hydrationMs, { signal, isDirty }))
  if (!isReady) throw new DocumentNeeded('React has not taken over the document.')
  const left = [store.committed.current as Page, ...state.previous]
  const staying = left.filter((each) => each !== page && staysMounted(state, each))
  const pages: Pages = { current: page, previous: staying.slice(0, keepMounted) }
  const before = store.latest
  const done = new Promise<void>((resolve) => {
    store.waiting = { pages, onCommit: resolve }
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  inViewTransition(() => store.set(pages), done)
  await done
  if (!signal.aborted || store.committed === pages || store.waiting?.pages !== pages) return
  // A page that was given up must not show later.
  store.waiting = null
  store.set(before)
}

/**
 * Shows a later rendering of the current page, together with the results of React's pending
 * actions; when they take longer than `timeoutMs`, before them.
 * @returns false while another page is about to be shown
 */
export function rerenderPage(
  store: RootStore,
  page: Page,
  previous: readonly Page[],
  { keepMounted, timeoutMs }: Pick<NavigationSettings, 'keepMounted' | 'timeoutMs'>,
): boolean {
  if (!store.isAttached || store.waiting) return false
  const pages: Pages = { current: page, previous: previous.slice(0, keepMounted) }
  startTransition(() => store.set(pages))
  setTimeout(() => {
    if (store.latest === pages && store.committed !== pages) store.set(pages)
  }, timeoutMs)
  return true
}

/**
 * Waits for what React needs before it can show another page: for a limit, and beyond it while a new
 * document would lose typed text. The notice of a late navigation then offers the document.
 */
export async function isInTime(
  ready: Promise<unknown>,
  limitMs: number,
  { signal, isDirty }: Patience,
): Promise<boolean> {
  const isReady = ready.then(() => true)
  do {
    const isOver = pause(limitMs).then(() => false)
    if (await Promise.race([isReady, isOver])) return true
  } while (isDirty() && !signal.aborted)
  return signal.aborted
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

type Transitioning = {
  startViewTransition?(update: () => Promise<void>): { finished: Promise<void> }
}

/** How long a page that is fetched waits for React to take over the document. */
const hydrationMs = 1000

/** The browser paints nothing while it waits for the update. */
const longestPauseMs = 200

function inViewTransition(update: () => void, done: Promise<void>): void {
  const { startViewTransition } = document as Transitioning
  const isWanted =
    document.documentElement.hasAttribute('data-view-transitions') &&
    !matchMedia('(prefers-reduced-motion: reduce)').matches
  if (!startViewTransition || !isWanted) {
    update()
    return
  }
  const transition = startViewTransition.call(document, () => {
    update()
    return Promise.race([done, pause(longestPauseMs)])
  })
  // One that is skipped, by the next or in a hidden tab, still shows its page.
  transition.finished.catch(() => {})
}
