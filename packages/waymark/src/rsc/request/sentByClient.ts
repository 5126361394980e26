import { FrameworkError } from '../../shared/errors.ts'
import type { ServerRequest } from '../../shared/response.ts'
import { parseCookies } from './cookieHeader.ts'

/** Client values that an app may have put into a redirect, a rewrite or a cookie. */
type ClientInput = {
  readonly request: ServerRequest
  readonly search?: string | undefined
  readonly match?: { readonly pattern: string; readonly params?: object } | undefined
  readonly scope: { readonly actionArguments: readonly unknown[] | null }
}

/**
 * The status of a failure: 400 when the client sent the refused text, or data that is nested too
 * deep; else 500.
 */
export function statusOfFailure(thrown: unknown, input: ClientInput): 400 | 500 {
  const isRefused = findRefused(thrown)
  return isRefused !== null && holdsText(valuesSent(input), isRefused) ? 400 : 500
}

/** @returns a test for the refused text; `null` for other failures */
function findRefused(thrown: unknown): ((text: string) => boolean) | null {
  if (!(thrown instanceof FrameworkError)) return null
  if (thrown.code === 'DATA_DEPTH') return (text) => (text.match(/[[{]/g) ?? []).length > 500
  const refused = thrown.text
  if (refused === undefined) return null
  // The app may have put `/` in front: `/` + `/evil.example`.
  return (text) => text === refused || (text.length > 1 && refused.endsWith(text))
}

function valuesSent({ request: { headers }, search = '', match, scope }: ClientInput) {
  const cookies = parseCookies(headers.get('cookie') ?? '')
  return [
    new URLSearchParams(search).values(),
    match?.params,
    cookies.map(({ value }) => value),
    headers.entries(),
    scope.actionArguments,
  ]
}

/** Searches nested values; request limits bound their number. */
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
