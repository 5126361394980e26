import { startTransition } from 'react'
import type { Pages } from '../../components/App.tsx'
import type { NavigationSettings } from '../../shared/settings.ts'
import { DocumentNeeded } from '../navigation/fetchPage.ts'
import { staysMounted, type TabState } from '../navigation/navigation.ts'
import type { Page } from '../navigation/page.ts'
import type { RootStore } from './rootStore.ts'

type ShowOptions = {
  /** State of the tab, which contains the previous pages for going back. */
  readonly state: TabState
  /** Number of previous pages that stay mounted. */
  readonly keepMounted: number
} & Patience

/** Decides how long a fetched page waits until React has hydrated the document. */
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
  // Load a document if React isn't ready in time: React may be waiting for code that can't be
  // loaded, and the document shows the page without that code.
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
  // A canceled page must not be shown later.
  store.waiting = null
  store.set(before)
}

/**
 * Shows a new rendering of the current page, together with the results of React's pending actions. If
 * the actions take longer than `timeoutMs`, the page is shown without waiting for them.
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
 * Waits until React can show a different page. Stops waiting after `limitMs`, unless a new document
 * would lose typed text. In that case, the notice about a late navigation offers to load the
 * document.
 * @returns false if the time limit has passed and the document should be loaded
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
 * Maximum duration of a view transition's update in milliseconds, because the browser paints nothing
 * during the update.
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
  // Ignore a skipped transition, for example in a hidden tab, because the page is still shown.
  transition.finished.catch(() => {})
}
