import { navigation } from 'virtual:waymark/navigation'
import type { Payload } from '../shared/payload.ts'
import { saveDraft } from './actions/formDraft.ts'
import { mayReload } from './assets/reload.ts'
import type { DocumentPayload } from './document/documentPayload.ts'
import { createDeadline } from './navigation/deadline.ts'
import { navigateDocument } from './navigation/documentNavigation.ts'
import { loadFallbackNotice } from './navigation/fallbackNotice.ts'
import { fetchPage } from './navigation/fetchPage.ts'
import type { TouchedFields } from './navigation/formFields.ts'

/** A page that takes the place of the document's own, and how it arrives. */
export type FetchedPage = { readonly payload: Payload } & Omit<DocumentPayload, 'stream'>

/**
 * Fetches all of the page that the browser's address names, in place of a document that was cut.
 * While it can't be had, a notice says so, and it is tried again. What was typed meanwhile is kept
 * for the page.
 * @returns pending for good when the person gives it up
 */
export function loadShownPage(view: Window, fields: TouchedFields): Promise<FetchedPage> {
  const url = new URL(view.location.href)
  const wayOut = loadFallbackNotice(view, () => fields.changed().length > 0 || !mayReload(url.href))
  return new Promise((resolve) => {
    const cancel = () => {}
    const leave = () => navigateDocument(view, url)
    const attempt = () =>
      void load(url).then(take, () => wayOut.offerFailed(url, { retry: attempt, leave, cancel }))
    function take(page: FetchedPage): void {
      const use = () => {
        wayOut.clear()
        resolve(page)
      }
      try {
        saveDraft(view, fields.changed())
        use()
      } catch {
        // Without storage, what was typed would be lost.
        wayOut.offerDocument({ leave: use, cancel })
      }
    }
    attempt()
  })
}

/** @throws what `loadPage` does, or when the server is silent for too long */
async function load(url: URL): Promise<FetchedPage> {
  const late = new AbortController()
  const deadline = createDeadline({ ...navigation, onLate: () => late.abort() })
  const asked = { url, held: [], from: url.pathname, build: null }
  try {
    const { payload, whole, onBytes } = await fetchPage({
      ...asked,
      signal: late.signal,
      onProgress: deadline.progress,
    })
    const isWhole = whole.then(
      () => true,
      () => false,
    )
    return { payload, whole: isWhole, onPiece: onBytes }
  } finally {
    deadline.stop()
  }
}
