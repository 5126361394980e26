import {
  forbidden as forbid,
  permanentRedirect as redirectForGood,
  redirect as redirectTo,
  unauthorized as refuse,
  notFound as showNotFound,
} from 'waymark'
import { registerSignalDigests } from 'waymark/plugin/client'

/** Kinds of redirects. In Waymark, both kinds have the same effect on the browser's history. */
export const RedirectType = { push: 'push', replace: 'replace' } as const
export type RedirectType = (typeof RedirectType)[keyof typeof RedirectType]

const redirectMark = 'NEXT_REDIRECT'
const screenMark = 'NEXT_HTTP_ERROR_FALLBACK'

/** Stops rendering, and redirects to a URL with status 307. */
export function redirect(url: string, type: RedirectType = 'replace'): never {
  throw marked(() => redirectTo(url), `${redirectMark};${type};${url};307;`)
}

/** Stops rendering, and redirects permanently to a URL with status 308. */
export function permanentRedirect(url: string, type: RedirectType = 'replace'): never {
  throw marked(() => redirectForGood(url), `${redirectMark};${type};${url};308;`)
}

/** Stops rendering with status 404, and shows the nearest `not-found` screen. */
export function notFound(): never {
  throw marked(showNotFound, `${screenMark};404`)
}

/** Stops rendering with status 403, and shows the nearest `forbidden` screen. */
export function forbidden(): never {
  throw marked(forbid, `${screenMark};403`)
}

/** Stops rendering with status 401, and shows the nearest `unauthorized` screen. */
export function unauthorized(): never {
  throw marked(refuse, `${screenMark};401`)
}

/**
 * Returns the signal that a function throws, with the digest by which packages recognize it.
 * @returns the signal; any other error unchanged
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

// Packages also create errors with Next's digests, so translate these to signals.
registerSignalDigests((digest) => {
  const [mark, kind, ...rest] = digest.split(';')
  // The URL may contain semicolons, too, so accept more than three parts.
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

/** Throws control flow signals again. Call it first in a `catch` block. */
export function unstable_rethrow(thrown: unknown): void {
  if (isSignal(thrown)) throw thrown
  if (thrown instanceof Error && thrown.cause !== undefined) unstable_rethrow(thrown.cause)
}

/** Creates a stub for server components of a function that only works in client components. */
export function browserOnly(name: string): () => never {
  return () => {
    throw new Error(
      `${name}() only works in client components. Add 'use client' at the top of the file that calls it.`,
    )
  }
}
