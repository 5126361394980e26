import {
  forbidden as forbid,
  permanentRedirect as redirectForGood,
  redirect as redirectTo,
  unauthorized as refuse,
  notFound as showNotFound,
} from 'waymark'
import { registerSignalDigests } from 'waymark/plugin/client'

/** How a redirect is written into the history; both do the same here. */
export const RedirectType = { push: 'push', replace: 'replace' } as const
export type RedirectType = (typeof RedirectType)[keyof typeof RedirectType]

const redirectMark = 'NEXT_REDIRECT'
const screenMark = 'NEXT_HTTP_ERROR_FALLBACK'

/** Ends what is running and sends the user elsewhere. */
export function redirect(url: string, type: RedirectType = 'replace'): never {
  throw marked(() => redirectTo(url), `${redirectMark};${type};${url};307;`)
}

/** Ends what is running and sends the user to where the page now lives for good. */
export function permanentRedirect(url: string, type: RedirectType = 'replace'): never {
  throw marked(() => redirectForGood(url), `${redirectMark};${type};${url};308;`)
}

/** Ends what is running with 404 and the nearest `not-found` screen. */
export function notFound(): never {
  throw marked(showNotFound, `${screenMark};404`)
}

/** Ends what is running with 403 and the nearest `forbidden` screen. */
export function forbidden(): never {
  throw marked(forbid, `${screenMark};403`)
}

/** Ends what is running with 401 and the nearest `unauthorized` screen. */
export function unauthorized(): never {
  throw marked(refuse, `${screenMark};401`)
}

/**
 * The signal that a function throws, with the digest by which packages know it again.
 * @returns what was thrown as it is when it is no signal
 */
function marked(run: () => never, digest: string): unknown {
  try {
    return run()
  } catch (thrown) {
    return isSignal(thrown) ? Object.assign(thrown, { digest }) : thrown
  }
}

const screens = new Map([
  ['401', refuse],
  ['403', forbid],
  ['404', showNotFound],
])

// Packages make errors with these digests themselves.
registerSignalDigests((digest) => {
  const [mark, kind, ...rest] = digest.split(';')
  // A URL may hold the separator, too.
  if (mark === redirectMark && rest.length >= 3) {
    const to = rest.at(-2) === '308' ? redirectForGood : redirectTo
    to(rest.slice(0, -2).join(';'))
  }
  if (mark === screenMark) screens.get(kind ?? '')?.()
})

type Signal = Error & { digest: string }

const signalDigest =
  /^(?:WAYMARK;|NEXT_REDIRECT;|NEXT_HTTP_ERROR_FALLBACK;|DYNAMIC_SERVER_USAGE$|BAILOUT_TO_CLIENT_SIDE_RENDERING$)/

function isSignal(thrown: unknown): thrown is Signal {
  if (typeof thrown !== 'object' || thrown === null || !('digest' in thrown)) return false
  return typeof thrown.digest === 'string' && signalDigest.test(thrown.digest)
}

/** Throws again what is control flow, and not a failure: to be called first in a `catch`. */
export function unstable_rethrow(thrown: unknown): void {
  if (isSignal(thrown)) throw thrown
  if (thrown instanceof Error && thrown.cause !== undefined) unstable_rethrow(thrown.cause)
}

/** Stands in server components for a function that works in client components only. */
export function browserOnly(name: string): () => never {
  return () => {
    throw new Error(
      `${name}() works in client components only: begin the file that calls it with 'use client'.`,
    )
  }
}
