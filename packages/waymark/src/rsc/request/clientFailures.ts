import type { Occurrence, ReportError } from '../../journal/reportError.ts'
import { FrameworkError } from '../../shared/errors.ts'
import { encodeSignal } from '../../wire/signals.ts'
import { parseCookies } from './cookies.ts'
import { bodyFailures } from './readBody.ts'

/** The parts of a request whose values an app may put into a redirect, a rewrite or a cookie. */
type ClientInput = Pick<Occurrence, 'request' | 'search' | 'match'> & {
  readonly scope?: { readonly action?: { readonly args: readonly unknown[] } | null } | undefined
}

/**
 * Creates a reporter that leaves out failures that clients caused.
 * @param tell receives the message of such a failure, which isn't written to the journal or the log because clients
 * could flood them
 */
export function withoutClientFailures(
  report: ReportError,
  tell?: (message: string) => void,
): ReportError {
  return (thrown, at) => {
    if (statusOfFailure(thrown, at) === 500) return report(thrown, at)
    tell?.(`400, caused by what the client sent: ${(thrown as Error).message}`)
    return encodeSignal({ kind: 'fallback', status: 400 })
  }
}

/**
 * Returns the status for a failure: 400 for a body error, and if the client sent the refused value or data that is
 * nested too deeply. Otherwise 500.
 */
export function statusOfFailure(thrown: unknown, input: ClientInput): 400 | 500 {
  if (bodyFailures.has(thrown as object) || isClientLeft(thrown)) return 400
  const isRefused = findRefused(thrown)
  return isRefused !== null && holdsText(valuesSent(input), isRefused) ? 400 : 500
}

// True if the error means that the client has left. It compares the error's code, because Node's server has its own
// copy of the class.
function isClientLeft(thrown: unknown): boolean {
  return (thrown as Partial<FrameworkError> | null)?.code === 'CLIENT_LEFT'
}

function findRefused(thrown: unknown): ((text: string) => boolean) | null {
  // Treat an overflow of the stack as the client's mistake if the client sent deeply nested data, on which React's
  // serializer overflows.
  if (thrown instanceof RangeError) return (text) => (text.match(/[[{]/g) ?? []).length > 500
  if (!(thrown instanceof FrameworkError)) return null
  const refused = thrown.text
  if (refused === undefined) return null
  // Also accept a suffix of the refused value, because the app may have added a slash in front, as in `/` +
  // `/evil.example`.
  return (text) => text === refused || (text.length > 1 && refused.endsWith(text))
}

function valuesSent({ request, search = '', match, scope }: ClientInput) {
  const cookies = parseCookies(request?.headers.get('cookie') ?? '')
  return [
    new URLSearchParams(search).values(),
    match?.params,
    cookies.map(({ value }) => value),
    request?.headers.entries(),
    scope?.action?.args,
  ]
}

function holdsText(sent: unknown, isWanted: (text: string) => boolean): boolean {
  for (const value of nestedValues([sent])) {
    if (typeof value === 'string' && isWanted(value)) return true
  }
  return false
}

/**
 * Yields a value and all values inside it, but each object only once. It does not recurse, because a client may nest
 * values thousands of levels deep.
 * @param mayOpen returns false for an object whose values should be skipped
 */
export function* nestedValues(
  waiting: unknown[],
  mayOpen: (value: object) => boolean = () => true,
): Iterable<unknown> {
  const seen = new Set<object>()
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'object' && value !== null) {
      if (seen.has(value)) continue
      seen.add(value)
      const isOpen = !ArrayBuffer.isView(value) && mayOpen(value)
      if (isOpen) for (const inside of valuesOf(value)) waiting.push(inside)
    }
    yield value
  }
}

function valuesOf(value: object): Iterable<unknown> {
  const isIterable = typeof (value as Partial<Iterable<unknown>>)[Symbol.iterator] === 'function'
  return isIterable ? (value as Iterable<unknown>) : Object.values(value)
}
