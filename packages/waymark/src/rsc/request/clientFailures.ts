import type { Occurrence, ReportError } from '../../journal/reportError.ts'
import { FrameworkError } from '../../shared/errors.ts'
import { encodeSignal } from '../../wire/signals.ts'
import { parseCookies } from './cookies.ts'
import { bodyFailures } from './readBody.ts'

/** Parts of a request whose values an app may put into a redirect, a rewrite or a cookie. */
type ClientInput = Pick<Occurrence, 'request' | 'search' | 'match'> & {
  readonly scope?: { readonly action?: { readonly args: readonly unknown[] } | null } | undefined
}

/**
 * Creates a reporter that ignores failures caused by clients.
 * @param tell receives such a failure's message. The journal and the log don't get it, because
 * clients could flood them
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
 * Returns the status for a failure: 400 if the client caused it, with an invalid body, a refused
 * value or too deeply nested data. Otherwise 500.
 */
export function statusOfFailure(thrown: unknown, input: ClientInput): 400 | 500 {
  if (bodyFailures.has(thrown as object) || isClientLeft(thrown)) return 400
  const isRefused = findRefused(thrown)
  return isRefused !== null && holdsText(valuesSent(input), isRefused) ? 400 : 500
}

// True if the error means that the client has left. Node's server has its own copy of the class, so
// compare the error's code.
function isClientLeft(thrown: unknown): boolean {
  return (thrown as Partial<FrameworkError> | null)?.code === 'CLIENT_LEFT'
}

function findRefused(thrown: unknown): ((text: string) => boolean) | null {
  // React's serializer overflows the stack on deeply nested data. If the client sent such data, it
  // is the client's mistake.
  if (thrown instanceof RangeError) return (text) => (text.match(/[[{]/g) ?? []).length > 500
  if (!(thrown instanceof FrameworkError)) return null
  const refused = thrown.text
  if (refused === undefined) return null
  // The app may have put something in front of the value, as in `/` + `/evil.example`, so the end
  // of the refused value is enough.
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
 * Yields a value and all values inside it, each object only once. Doesn't recurse, because a client
 * may nest values thousands of levels deep.
 * @param mayOpen returns false for an object to skip, together with its values
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
