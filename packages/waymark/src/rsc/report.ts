import type { ServerRequest } from '../shared/answer.ts'
import { createDigest } from '../shared/digest.ts'
import { encodeSignal, signalOf } from '../shared/signals.ts'

/** Where an error occurred. */
export type Occurrence = {
  readonly request: ServerRequest
  readonly pathname: string
  readonly match?: { readonly pattern: string }
}

/**
 * Reports what was thrown while a request was answered.
 * @returns the digest: all that a browser may know of a failure
 */
export type ReportError = (thrown: unknown, at: Occurrence) => string

/**
 * Makes the reporter. An error keeps the digest of its first report: it passes through more
 * than one renderer on its way.
 */
export function createReporter(write: (line: string) => void): ReportError {
  const known = new WeakMap<object, string>()
  return function report(thrown, { request, pathname, match }) {
    const signal = signalOf(thrown)
    if (signal) return encodeSignal(signal)
    const isObject = typeof thrown === 'object' && thrown !== null
    const seen = isObject ? (known.get(thrown) ?? carriedDigest(thrown)) : undefined
    if (seen) return seen
    const digest = createDigest(Date.now(), Math.random())
    if (isObject) known.set(thrown, digest)
    write(
      `${digest} ${request.method} ${pathname} (${match?.pattern ?? 'no route'})\n${textOf(thrown)}`,
    )
    return digest
  }
}

// What the ssr environment catches of a server component is React's stand-in for the error.
function carriedDigest(thrown: object): string | undefined {
  return 'digest' in thrown && typeof thrown.digest === 'string' ? thrown.digest : undefined
}

function textOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  } catch {
    return 'a thrown value that can not be shown as text'
  }
}
