import type { Occurrence, ReportError } from '../../journal/reportError.ts'
import { FrameworkError } from '../../shared/errors.ts'
import { encodeSignal } from '../../wire/signals.ts'
import { parseCookies } from './cookies.ts'
import { bodyFailures } from './readBody.ts'

/** What a client sends: the values that an app may have put into a redirect, a rewrite, a cookie. */
type ClientInput = Pick<Occurrence, 'request' | 'search' | 'match'> & {
  readonly scope?: { readonly action?: { readonly args: readonly unknown[] } | null } | undefined
}

/** @param tell called with the message instead of journal and log, which clients could fill */
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

/** 400 when the client sent the refused text, data that is nested too deep, or no such body; else 500. */
export function statusOfFailure(thrown: unknown, input: ClientInput): 400 | 500 {
  if (bodyFailures.has(thrown as object) || isClientLeft(thrown)) return 400
  const isRefused = findRefused(thrown)
  return isRefused !== null && holdsText(valuesSent(input), isRefused) ? 400 : 500
}

// By its code: the server of Node has a copy of the class of its own.
function isClientLeft(thrown: unknown): boolean {
  return (thrown as Partial<FrameworkError> | null)?.code === 'CLIENT_LEFT'
}

function findRefused(thrown: unknown): ((text: string) => boolean) | null {
  // React's writer ends with its stack where data is nested thousands of levels deep.
  if (thrown instanceof RangeError) return (text) => (text.match(/[[{]/g) ?? []).length > 500
  if (!(thrown instanceof FrameworkError)) return null
  const refused = thrown.text
  if (refused === undefined) return null
  // The app may have put `/` in front: `/` + `/evil.example`.
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
 * Each value and what is inside of it, objects once. A client may nest thousands deep.
 * @param mayOpen false for an object that must not be looked into
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
