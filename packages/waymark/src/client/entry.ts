import { startTheme } from '../theme/boot.ts'
import { followForms } from './forms.ts'
import { followLinks } from './links.ts'
import type { NavigationRequest } from './navigation/navigation.ts'
import { createPrefetcher } from './prefetch/prefetcher.ts'
import { watchLinks } from './prefetch/watchLinks.ts'
import { start } from './start.tsx'

boot()

/** Takes over the document: links and forms are followed before React has taken over. */
function boot(): void {
  startTheme()
  const prefetcher = createPrefetcher({ now: Date.now, from: () => location.pathname, isFrugal })
  const running = start(prefetcher)
  const navigate = (request: NavigationRequest) => {
    running.then(
      (router) => router.navigate(request),
      // The document's own data is broken: the browser goes there itself.
      () => location.assign(request.url),
    )
  }
  followLinks(document, navigate)
  followForms(document, navigate)
  watchLinks(document, prefetcher)
  addEventListener('popstate', () => void running.then((router) => router.traverse()))
  history.scrollRestoration = 'manual'
  addEventListener('pagehide', () => {
    history.scrollRestoration = 'auto'
  })
  import.meta.hot?.on('rsc:update', () => void running.then((router) => router.refresh()))
}

type Connection = { readonly saveData?: boolean; readonly effectiveType?: string }

function isFrugal(): boolean {
  const { connection } = navigator as { connection?: Connection }
  const isSlow = connection?.saveData === true || /2g/.test(connection?.effectiveType ?? '')
  return isSlow || document.visibilityState === 'hidden'
}
