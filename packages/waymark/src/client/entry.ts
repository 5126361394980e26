import { navigation } from 'virtual:waymark/navigation'
import { startTheme } from '../theme/boot.ts'
import { themeOverlay } from '../theme/overlayStyle.ts'
import { hasDraft } from './actions/typedKey.ts'
import type { BootRuntime } from './bootParts.ts'
import { type DocumentStream, readDocumentStream } from './documentArrival.ts'
import { createErrorReports } from './errorReports.ts'
import { listenForHistory } from './followHistory.ts'
import { listenForForms } from './forms.ts'
import { createLazyModule } from './lateCode.ts'
import { createNavigationQueue } from './lead.ts'
import { listenForLinks } from './links.ts'
import { createHistoryEntries } from './navigation/historyEntries.ts'
import type { NavigationRequest } from './navigation/navigation.ts'
import { trackTouchedFields } from './navigation/touchedFields.ts'
import { createPrefetchStarter } from './prefetch/ahead.ts'
import { prefersReducedData } from './prefetch/isFrugal.ts'
import { createLoader, type Loader } from './starter.ts'
import { onIdle, onIntent } from './whenNeeded.ts'

boot()

/**
 * Takes over the document, without React: links and forms are followed, near pages are fetched
 * ahead, the theme is kept. React comes with `start.tsx`: at once for a page that has client
 * components, else with the router, `late.ts`, when a navigation is likely.
 */
function boot(): void {
  startTheme()
  if (import.meta.env.DEV) themeOverlay(document)
  const arrival = readDocumentStream(document, navigation.timeoutMs)
  const { interactive, shell } = arrival
  const late = createLazyModule(() => import('./late.ts'))
  const starter = createLoader(() => parts, late, shell)
  const parts = createParts(arrival, starter, late)
  const { history, lead, ahead, errors } = parts
  void interactive.then(starter.hydrate)
  if (hasDraft()) void starter.start()
  onIntent(document, starter)
  onIdle(window, () => {
    if (prefersReducedData()) return
    ahead.start()
    errors.load()
    if (starter.hasBegun) void starter.start()
    else starter.load()
  })
  const navigate = (request: NavigationRequest) =>
    lead(request, (router) => router.navigate(request))
  listenForLinks(document, navigate)
  listenForForms(document, navigate)
  listenForHistory(window, starter, history)
  void shell.then(() => keepMarkedScroll(history.shownKey))
  import.meta.hot?.on('rsc:update', () => starter.start().then((router) => router.refresh()))
}

function createParts(
  arrival: DocumentStream,
  starter: Loader,
  late: BootRuntime['late'],
): BootRuntime {
  const { start: router, router: running, document: taken } = starter
  const fields = trackTouchedFields(document)
  return {
    arrival,
    ahead: createPrefetchStarter(document),
    history: createHistoryEntries(window, () => crypto.randomUUID().slice(0, 8)),
    errors: createErrorReports(window),
    fields,
    late,
    lead: createNavigationQueue({
      running,
      router,
      taken,
      fields,
      timeoutMs: navigation.timeoutMs,
    }),
    router,
    running,
  }
}

/** Without the router, the browser scrolls; elements with positions of their own it leaves out. */
function keepMarkedScroll(shownKey: () => string): void {
  if (!document.querySelector('[data-scroll-restore]')) return
  import('./keepScroll.ts').then(
    (code) => code.keepScroll(window, shownKey),
    () => {},
  )
}
