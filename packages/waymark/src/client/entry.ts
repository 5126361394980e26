import { navigation, prefetch } from 'virtual:waymark/navigation'
import { startTheme } from '../theme/boot.ts'
import { themeOverlay } from '../theme/overlayStyle.ts'
import { followForms } from './forms.ts'
import { followLinks } from './links.ts'
import type { NavigationRequest } from './navigation/navigation.ts'
import { fetchAhead } from './prefetch/fetchAhead.ts'
import { createPrefetcher } from './prefetch/prefetcher.ts'
import { watchLinks } from './prefetch/watchLinks.ts'
import { start } from './start.tsx'

boot()

/** Takes over the document: links and forms are followed before React has taken over. */
function boot(): void {
  startTheme()
  if (import.meta.env.DEV) themeOverlay(document)
  const prefetcher = createPrefetcher({
    now: Date.now,
    from: () => location.pathname,
    isFrugal,
    fetchAhead,
    limits: prefetch,
  })
  const running = start(prefetcher)
  const navigate = (request: NavigationRequest) => {
    // The document's own data is broken, or does not come: the browser goes there itself.
    const leave = () => location.assign(request.url)
    const late = setTimeout(leave, navigation.timeoutMs)
    running.finally(() => clearTimeout(late)).then((router) => void router.navigate(request), leave)
  }
  followLinks(document, navigate)
  followForms(document, navigate)
  watchLinks(document, prefetcher)
  addEventListener('popstate', () => {
    running.then(
      (router) => router.traverse(),
      () => location.reload(),
    )
  })
  history.scrollRestoration = 'manual'
  addEventListener('pagehide', () => {
    history.scrollRestoration = 'auto'
  })
  import.meta.hot?.on('rsc:update', () => void running.then((router) => router.refresh()))
  if (import.meta.env.DEV) Object.assign(window, { waymarkPrefetches: prefetcher.ledger })
}

type Connection = { readonly saveData?: boolean; readonly effectiveType?: string }

function isFrugal(): boolean {
  const { connection } = navigator as { connection?: Connection }
  const isSlow = connection?.saveData === true || /2g/.test(connection?.effectiveType ?? '')
  return isSlow || document.visibilityState === 'hidden'
}
