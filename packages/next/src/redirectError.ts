import { RedirectType } from './signals.ts'

// The one file of the inside of next that apps import: component kits have it in their templates.
export { RedirectType }

/** What `redirect()` throws: its way, its URL and its status. */
export type RedirectError = Error & {
  digest: `NEXT_REDIRECT;${RedirectType};${string};${303 | 307 | 308};`
}

/** Tells whether `redirect()` or `permanentRedirect()` threw it. */
export function isRedirectError(thrown: unknown): thrown is RedirectError {
  if (!(thrown instanceof Error) || !('digest' in thrown)) return false
  return /^NEXT_REDIRECT;(?:push|replace);.*;30[378];$/s.test(String(thrown.digest))
}
