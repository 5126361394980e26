import type { NavigationRequest } from './navigation/navigation.ts'

/**
 * Follows GET forms that are marked for it (`Form`): their fields become the query of a page.
 */
export function listenForForms(
  document: Document,
  navigate: (request: NavigationRequest) => unknown,
): void {
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return
    if (!form.hasAttribute('data-waymark-form')) return
    const url = new URL(form.action)
    if (url.origin !== location.origin) return
    event.preventDefault()
    url.search = queryOf(form, event.submitter).toString()
    const { replace, scroll } = form.dataset
    navigate({ kind: replace === '' ? 'replace' : 'push', url, scroll: scroll !== 'keep' })
  })
}

// As a browser does: files are sent by their names, the pressed button is among the fields.
function queryOf(form: HTMLFormElement, submitter: HTMLElement | null): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form, submitter)) {
    query.append(name, typeof value === 'string' ? value : value.name)
  }
  return query
}
