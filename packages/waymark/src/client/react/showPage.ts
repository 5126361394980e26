import { startTransition } from 'react'
import type { Pages } from '../../components/App.tsx'
import type { NavigationSettings } from '../../shared/settings.ts'
import { DocumentNeeded } from '../navigation/fetchPage.ts'
import { staysMounted, type TabState } from '../navigation/navigation.ts'
import type { Page } from '../navigation/page.ts'
import type { RootStore } from './rootStore.ts'

type ShowOptions = {
  /** The tab's state, including the previous pages that stay mounted. */
  readonly state: TabState
  /** Number of previous pages that stay mounted. */
  readonly keepMounted: number
} & Patience

/** Options of the wait for hydration. */
type Patience = {
  readonly signal: AbortSignal
  /** True if a new document would lose typed text. */
  readonly isDirty: () => boolean
}

/**
 * Shows a page. Resolves once the page is on the screen or `signal` aborts.
 * @throws DocumentNeeded if React doesn't hydrate the document in time
 */
export async function showPage(
  store: RootStore,
  page: Page,
  { state, keepMounted, signal, isDirty }: ShowOptions,
): Promise<void> {
  // If React isn't ready in time, load a document: React may be waiting for code that can't be
  // loaded, and a document doesn't need it.
  const isReady =
    store.isAttached || (await isInTime(store.hydrated, hydrationMs, { signal, isDirty }))
  if (!isReady) throw new DocumentNeeded('React has not hydrated the document.')
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
  // Forget the page, so that React doesn't show it after all.
  store.waiting = null
  store.set(before)
}

/**
 * Renders the current page anew, together with the results of React's pending actions. If these
 * take longer than `timeoutMs`, the page is shown without them.
 * @returns false if a different page is about to be shown
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
 * Waits until React can show a different page. Stops after `limitMs`, unless a new document would
 * lose typed text; the notice about a late navigation then offers to load the document.
 * @returns false if the time limit has passed and a document should be loaded
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

/** Milliseconds that a fetched page waits until React has hydrated the document. */
const hydrationMs = 1000

/**
 * Maximum milliseconds that updating the page may take in a view transition, because the browser
 * paints nothing in the meantime.
 */
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
  // The browser skips transitions in a hidden tab, for example. The page is still shown.
  transition.finished.catch(() => {})
}
