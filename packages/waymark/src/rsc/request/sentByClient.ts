import type { Occurrence, ReportError } from '../../journal/reportError.ts'
import { FrameworkError } from '../../shared/errors.ts'
import { encodeSignal } from '../../shared/signals.ts'
import { parseCookies } from './cookieHeader.ts'

/** What a client sends: the values that an app may have put into a redirect, a rewrite, a cookie. */
type ClientInput = Pick<Occurrence, 'request' | 'search' | 'match'> & {
  readonly scope?: { readonly actionArguments?: readonly unknown[] | null } | undefined
}

/**
 * Keeps a client's own failures out of the journal and the log: whoever can cause an entry by a
 * request could fill both.
 * @param tell called with the message instead; in development, for the app's author
 * @returns what gives such a failure the digest of the status 400
 */
export function withoutClientFailures(
  report: ReportError,
  tell?: (message: string) => void,
): ReportError {
  return (thrown, at) => {
    if (statusOfFailure(thrown, at) === 500) return report(thrown, at)
    tell?.(`400, as a client sent it: ${(thrown as Error).message}`)
    return encodeSignal({ kind: 'fallback', status: 400 })
  }
}

/**
 * The status of a failure: 400 where the client has sent the text that was refused, or data that is
 * nested too deep, so that nothing is wrong with the app; 500 for anything else, a refused text of
 * the app's own included.
 */
export function statusOfFailure(thrown: unknown, input: ClientInput): 400 | 500 {
  const isRefused = findRefused(thrown)
  return isRefused !== null && holdsText(valuesSent(input), isRefused) ? 400 : 500
}

/** @returns what tells whether a text is the one that was refused; `null` for other failures */
function findRefused(thrown: unknown): ((text: string) => boolean) | null {
  if (!(thrown instanceof FrameworkError)) return null
  if (thrown.code === 'DATA_DEPTH') return (text) => (text.match(/[[{]/g) ?? []).length > 500
  const refused = thrown.text
  if (refused === undefined) return null
  // An app may have put something in front of it: `/` + `/evil.example`.
  return (text) => text === refused || (text.length > 1 && refused.endsWith(text))
}

function valuesSent({ request, search = '', match, scope }: ClientInput) {
  const cookies = parseCookies(request?.headers.get('cookie') ?? '')
  return [
    new URLSearchParams(search).values(),
    match?.params,
    cookies.map(({ value }) => value),
    request?.headers.entries(),
    scope?.actionArguments,
  ]
}

/** Looks for a text in values, and in what they hold; all of them are within the limits of requests. */
function holdsText(sent: unknown, isWanted: (text: string) => boolean): boolean {
  const waiting = [sent]
  const seen = new Set<unknown>()
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'string' && isWanted(value)) return true
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    for (const inside of valuesOf(value)) waiting.push(inside)
  }
  return false
}

function valuesOf(value: object): Iterable<unknown> {
  const isIterable = typeof (value as Partial<Iterable<unknown>>)[Symbol.iterator] === 'function'
  return isIterable ? (value as Iterable<unknown>) : Object.values(value)
}
