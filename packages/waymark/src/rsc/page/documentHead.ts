import { localeRequest, type PageApp, type PageRequest } from './pageRequest.ts'

/** HTML for the very start of a document's head, outside of React's tree. */
export function documentHeadStart(page: PageRequest, app: PageApp, theme: string | null): string {
  const ahead = app.theme.headStart(theme) + app.screens.headOf(localeRequest(page))
  return import.meta.env.DEV ? ahead + devNonce(page.scope.nonce()) : ahead
}

// Vite's client puts its style sheets into the page by itself, and looks for their nonce here.
function devNonce(nonce: string | undefined): string {
  return nonce === undefined ? '' : `<meta property="csp-nonce" nonce="${nonce}">`
}
