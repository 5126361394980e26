import { startTheme } from '../theme/boot.ts'
import { followForms } from './forms.ts'
import { followLinks } from './links.ts'
import type { NavigationRequest } from './navigation/navigation.ts'
import { createPrefetcher } from './prefetch/prefetcher.ts'
import { watchLinks } from './prefetch/watchLinks.ts'
import type { RunningRouter } from './running.ts'

boot()

/** Takes over the document: first what works without React, then React. */
function boot(): void {
  startTheme()
  const prefetcher = createPrefetcher({ now: Date.now, from: () => location.pathname, isFrugal })
  let starting: Promise<RunningRouter> | null = null
  const running = () => {
    starting ??= import('./start.tsx').then(({ start }) => start(prefetcher))
    return starting
  }
  const navigate = (request: NavigationRequest) => {
    running().then(
      (router) => router.navigate(request),
      // The router's own code can't be had: the browser goes there itself.
      () => location.assign(request.url),
    )
  }
  followLinks(document, navigate)
  followForms(document, navigate)
  watchLinks(document, prefetcher)
  addEventListener('popstate', () => void running().then((router) => router.traverse()))
  history.scrollRestoration = 'manual'
  addEventListener('pagehide', () => {
    history.scrollRestoration = 'auto'
  })
  import.meta.hot?.on('rsc:update', () => void running().then((router) => router.refresh()))
  void running()
}

type Connection = { readonly saveData?: boolean; readonly effectiveType?: string }

function isFrugal(): boolean {
  const { connection } = navigator as { connection?: Connection }
  const isSlow = connection?.saveData === true || /2g/.test(connection?.effectiveType ?? '')
  return isSlow || document.visibilityState === 'hidden'
}
