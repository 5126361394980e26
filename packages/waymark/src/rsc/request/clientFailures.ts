import type { Occurrence, ReportError } from '../../journal/reportError.ts'
import { FrameworkError } from '../../shared/errors.ts'
import { encodeSignal } from '../../wire/signals.ts'
import { parseCookies } from './cookies.ts'
import { bodyFailures } from './readBody.ts'

/** Values from a client, which an app may have put into a redirect, a rewrite or a cookie. */
type ClientInput = Pick<Occurrence, 'request' | 'search' | 'match'> & {
  readonly scope?: { readonly action?: { readonly args: readonly unknown[] } | null } | undefined
}

/** @param tell called with the message instead of the journal and the log, which clients could fill */
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
 * Returns 400 for a body error, or if the client sent the refused text or data nested too deeply;
 * else 500.
 */
export function statusOfFailure(thrown: unknown, input: ClientInput): 400 | 500 {
  if (bodyFailures.has(thrown as object) || isClientLeft(thrown)) return 400
  const isRefused = findRefused(thrown)
  return isRefused !== null && holdsText(valuesSent(input), isRefused) ? 400 : 500
}

// Compared by its code, because Node's server has its own copy of the class.
function isClientLeft(thrown: unknown): boolean {
  return (thrown as Partial<FrameworkError> | null)?.code === 'CLIENT_LEFT'
}

function findRefused(thrown: unknown): ((text: string) => boolean) | null {
  // React's serializer overflows the stack on data that is nested thousands of levels deep.
  if (thrown instanceof RangeError) return (text) => (text.match(/[[{]/g) ?? []).length > 500
  if (!(thrown instanceof FrameworkError)) return null
  const refused = thrown.text
  if (refused === undefined) return null
  // The app may have added a slash in front: `/` + `/evil.example`.
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
 * Yields each value and the values inside of it, and each object once. It does not recurse, because a
 * client may nest values thousands of levels deep.
 * @param mayOpen returns false for an object whose values to skip
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
