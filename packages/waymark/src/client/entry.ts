import { navigation } from 'virtual:waymark/navigation'
import { startTheme } from '../theme/boot.ts'
import { themeOverlay } from '../theme/overlayStyle.ts'
import { hasTyped } from './actions/typedKey.ts'
import type { BootParts } from './bootParts.ts'
import { type DocumentArrival, followDocument } from './documentArrival.ts'
import { createErrorReports } from './errorReports.ts'
import { followHistory } from './followHistory.ts'
import { followForms } from './forms.ts'
import { createLateCode } from './lateCode.ts'
import { createLead } from './lead.ts'
import { followLinks } from './links.ts'
import { createHistoryEntries } from './navigation/historyEntries.ts'
import type { NavigationRequest } from './navigation/navigation.ts'
import { touchFields } from './navigation/touchedFields.ts'
import { createAhead } from './prefetch/ahead.ts'
import { isFrugal } from './prefetch/isFrugal.ts'
import { createStarter, type Starter } from './starter.ts'
import { whenIdle, whenMeant } from './whenNeeded.ts'

boot()

/**
 * Takes over the document, without React: links and forms are followed, near pages are fetched
 * ahead, the theme is kept. React comes with `start.tsx`: at once for a page that has client
 * components, else with the router, `late.ts`, when a navigation is likely.
 */
function boot(): void {
  startTheme()
  if (import.meta.env.DEV) themeOverlay(document)
  const arrival = followDocument(document, navigation.timeoutMs)
  const { interactive, shell } = arrival
  const late = createLateCode(() => import('./late.ts'))
  const starter = createStarter(() => parts, late, shell)
  const parts = createParts(arrival, starter, late)
  const { history, lead, ahead, errors } = parts
  void interactive.then(starter.hydrate)
  if (hasTyped()) void starter.start()
  whenMeant(document, starter)
  whenIdle(window, () => {
    if (isFrugal()) return
    ahead.start()
    errors.load()
    if (starter.hasBegun) void starter.start()
    else starter.load()
  })
  const navigate = (request: NavigationRequest) =>
    lead(request, (router) => router.navigate(request))
  followLinks(document, navigate)
  followForms(document, navigate)
  followHistory(window, starter, history)
  void shell.then(() => keepMarkedScroll(history.shownKey))
  import.meta.hot?.on('rsc:update', () => starter.start().then((router) => router.refresh()))
}

function createParts(
  arrival: DocumentArrival,
  starter: Starter,
  late: BootParts['late'],
): BootParts {
  const { start: router, router: running, document: taken } = starter
  const fields = touchFields(document)
  return {
    arrival,
    ahead: createAhead(document),
    history: createHistoryEntries(window, () => crypto.randomUUID().slice(0, 8)),
    errors: createErrorReports(window),
    fields,
    late,
    lead: createLead({ running, router, taken, fields, timeoutMs: navigation.timeoutMs }),
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
