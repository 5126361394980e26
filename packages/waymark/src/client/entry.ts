import { navigation, prefetch } from 'virtual:waymark/navigation'
import { startTheme } from '../theme/boot.ts'
import { themeOverlay } from '../theme/overlayStyle.ts'
import { hasTyped } from './actions/typedKey.ts'
import type { BootParts } from './bootParts.ts'
import { followDocument } from './documentArrival.ts'
import { keepErrors } from './earlyErrors.ts'
import { followHistory } from './followHistory.ts'
import { followForms } from './forms.ts'
import { followLinks } from './links.ts'
import { createHistoryEntries } from './navigation/historyEntries.ts'
import type { NavigationRequest } from './navigation/navigation.ts'
import { markPending } from './navigation/pendingLink.ts'
import { fetchAhead } from './prefetch/fetchAhead.ts'
import { isFrugal } from './prefetch/isFrugal.ts'
import { createPrefetcher } from './prefetch/prefetcher.ts'
import { watchLinks } from './prefetch/watchLinks.ts'
import { createStarter, type Starter } from './starter.ts'
import { whenIdle, whenMeant } from './whenNeeded.ts'

boot()

/**
 * Takes over the document, without React: links and forms are followed, near pages are fetched
 * ahead, the theme is kept. React and the router come with `start.tsx`: at once for a page that
 * has client components, else when a navigation is likely.
 */
function boot(): void {
  startTheme()
  if (import.meta.env.DEV) themeOverlay(document)
  const { interactive, shell } = followDocument(document, navigation.timeoutMs)
  const starter = createStarter(() => parts, shell)
  const parts = createParts(
    () => void starter.start(),
    () => starter.router()?.shownKey() ?? parts.history.currentKey(),
  )
  void interactive.then(starter.start)
  if (hasTyped()) void starter.start()
  whenMeant(document, starter.start)
  whenIdle(window, () => isFrugal() || starter.load())
  const navigate = (request: NavigationRequest) => leadTo(request, starter)
  followLinks(document, navigate)
  followForms(document, navigate)
  followHistory(window, starter, parts.history)
  watchLinks(document, parts.prefetcher)
  void shell.then(() => keepMarkedScroll(parts.shownKey))
  import.meta.hot?.on('rsc:update', () => starter.start().then((router) => router.refresh()))
  if (import.meta.env.DEV) Object.assign(window, { waymarkPrefetches: parts.prefetcher.ledger })
}

function createParts(onError: () => void, shownKey: () => string): BootParts {
  const from = () => location.pathname
  return {
    prefetcher: createPrefetcher({ now: Date.now, from, isFrugal, fetchAhead, limits: prefetch }),
    history: createHistoryEntries(window, () => crypto.randomUUID().slice(0, 8)),
    shownKey,
    earlyErrors: keepErrors(window, onError),
  }
}

/** Without the router, the browser scrolls; elements with positions of their own it leaves out. */
function keepMarkedScroll(shownKey: () => string): void {
  if (!document.querySelector('[data-scroll-restore]')) return
  import('./keepScroll.ts').then(
    ({ keepScroll }) => keepScroll(window, shownKey),
    () => {},
  )
}

const never = new Promise<void>(() => {})

/** A navigation that was asked for before the router runs is the first that it hears of. */
function leadTo(request: NavigationRequest, starter: Starter): void {
  const running = starter.router()
  if (running) return void running.navigate(request)
  const unmark = markPending(request.link ?? null, never)
  // The document's own data is broken, or does not come: the browser goes there itself.
  const leave = () => location.assign(request.url)
  const late = setTimeout(leave, navigation.timeoutMs)
  const over = () => {
    clearTimeout(late)
    unmark()
  }
  starter
    .start()
    .finally(over)
    .then((router) => void router.navigate(request), leave)
}
