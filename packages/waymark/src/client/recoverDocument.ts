import { navigation } from 'virtual:waymark/navigation'
import { mayReload } from './assets/reload.ts'
import { navigateDocument } from './navigation/documentNavigation.ts'
import { fetchPage, isTransient, type LoadedPage } from './navigation/fetchPage.ts'
import { saveDraft } from './navigation/formDraft.ts'
import type { TouchedFields } from './navigation/formFields.ts'
import { createNavigationNotice } from './navigation/navigationNotice.ts'
import { createDeadline, createRetries, type Retries, retry, retryPolicies } from './retry/retry.ts'

/**
 * Fetches the page at the browser's address, for a document that was cut off. Shows a notice until
 * that succeeds.
 */
export function loadCurrentPage(view: Window, fields: TouchedFields): Promise<LoadedPage> {
  const url = new URL(view.location.href)
  // True if page data has stopped arriving, too. Loading the document again wouldn't help then.
  let isSilent = false
  const notice = createNavigationNotice(view, () => fields.changed().length > 0)
  const mayOpen = () => !isSilent && mayReload(url.href)
  return new Promise((resolve) => {
    const cancel = () => {}
    const leave = () => navigateDocument(view, url)
    const retries = createRetries(retryPolicies.page)
    const attempt = () =>
      void load(url, retries).then(use, (error) => {
        isSilent = error instanceof DOMException
        void notice.offerRetry(url, { retry: attempt, leave, cancel }, { error, retries, mayOpen })
      })
    function use(page: LoadedPage): void {
      const show = () => {
        notice.clear()
        resolve(page)
      }
      try {
        saveDraft(view, fields.changed())
        show()
      } catch {
        // Without storage, typed text would be lost, so ask the user first.
        notice.offerDocument({ leave: show, cancel })
      }
    }
    attempt()
  })
}

async function load(url: URL, retries: Retries): Promise<LoadedPage> {
  const controller = new AbortController()
  const deadline = createDeadline({ ...navigation, onTimeout: () => controller.abort() })
  const { signal } = controller
  const { progress: onProgress } = deadline
  const fetching = { url, mounted: [], from: url.pathname, build: null, signal, onProgress }
  const isWorthIt = (error: unknown) => isTransient(error) && retries.isQuiet()
  const attempt = (failures: number) => fetchPage({ ...fetching, isRetry: failures > 0 })
  return retry(attempt, { retries, signal, isWorthIt }).finally(deadline.stop)
}
