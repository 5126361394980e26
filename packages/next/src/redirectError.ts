import { RedirectType } from './signals.ts'

// Templates from component kits import this module, so apps do, too. It is the only internal one.
export { RedirectType }

/** The error that `redirect()` throws. Its digest contains the type, the URL and the status. */
export type RedirectError = Error & {
  digest: `NEXT_REDIRECT;${RedirectType};${string};${303 | 307 | 308};`
}

/** True if `redirect()` or `permanentRedirect()` threw the value. */
export function isRedirectError(thrown: unknown): thrown is RedirectError {
  if (!(thrown instanceof Error) || !('digest' in thrown)) return false
  return /^NEXT_REDIRECT;(?:push|replace);.*;30[378];$/s.test(String(thrown.digest))
}
