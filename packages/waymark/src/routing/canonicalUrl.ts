import { maxTargetLength } from '../wire/protocol.ts'

export type ParsedTarget =
  | {
      readonly kind: 'ok'
      readonly pathname: string
      /** Query as sent, including its question mark. Empty without a query. */
      readonly search: string
    }
  | { readonly kind: 'redirect'; readonly status: 308; readonly location: string }
  | { readonly kind: 'bad'; readonly status: 400 | 414; readonly reason: string }

/**
 * Maximum number of query parameters, equal to the limit for form fields. Each parameter becomes an
 * object property.
 */
const maxQueryPairs = 1_000

/**
 * Matches paths with more than 100 segments. Caches and subscriptions have one tag per segment, so
 * the number must be limited.
 */
const tooManySegments = /^(?:\/[^/?]*){101}/

// Matches canonical targets without escapes, which need no parsing. Each segment ends at its slash,
// so the expression never backtracks.
const cleanTarget =
  /^\/(?:(?!\.{1,2}(?:[/?]|$))[\w\-.~!$&'()*+,;=:@]+(?:\/(?!\.{1,2}(?:[/?]|$))[\w\-.~!$&'()*+,;=:@]+)*)?(\?[\x21\x22\x24-\x7e]+)?$/

// Matches visible ASCII except `#`, because a request target has no fragment (RFC 9112 §3.2).
const allowedCharacters = /^[\x21\x22\x24-\x7e]*$/

// A program behind the app may decode again, so refuse syntax that is encoded twice.
const doublyEncodedSyntax = /%25(?:25)*(?:2f|5c|2e|[01][\da-f]|7f)/i

const plainSegment = /^[\w~-][\w.~-]*$/

// biome-ignore lint/suspicious/noControlCharactersInRegex: a segment must not contain these
const forbiddenInSegment = /[\u0000-\u001f\u007f-\u009f/\\]/

/**
 * Parses a request target strictly and decodes it once. Targets that differ only in
 * percent-encoding become the same pathname.
 *
 * @returns `redirect` for extra slashes and dot segments, `bad` for an invalid target
 */
export function parseTarget(target: string): ParsedTarget {
  if (target.length > maxTargetLength) return bad("it's longer than 8192 characters", 414)
  if (tooManySegments.test(target)) return bad('it has more than 100 segments', 414)
  const clean = cleanTarget.exec(target)
  if (clean) {
    const search = clean[1] ?? ''
    if (hasTooManyPairs(search)) return bad(tooManyPairs)
    return { kind: 'ok', pathname: search ? target.slice(0, -search.length) : target, search }
  }
  if (!target.startsWith('/')) return bad("it doesn't begin with a slash")
  if (!allowedCharacters.test(target)) return bad('a character in it must be percent-encoded')
  const queryAt = target.indexOf('?')
  const path = queryAt === -1 ? target : target.slice(0, queryAt)
  const search = queryAt === -1 ? '' : target.slice(queryAt)
  if (hasTooManyPairs(search)) return bad(tooManyPairs)
  return parsePath(path, search === '?' ? '' : search)
}

/** @throws URIError for a lone surrogate */
export function encodeSegment(text: string): string {
  return encodePath(text).replaceAll('/', '%2F')
}

/** @returns the reason why a string can't be a segment of a pathname, or `null` if it can */
export function segmentProblem(text: string): string | null {
  if (plainSegment.test(text)) return null
  if (text === '') return "a segment can't be empty"
  if (text === '.' || text === '..') return '"." and ".." have a special meaning in a path'
  if (forbiddenInSegment.test(text))
    return 'it contains a slash, a backslash or a control character'
  if (/\p{Surrogate}/u.test(text)) return "it isn't well-formed Unicode"
  if (text.includes('%') && doublyEncodedSyntax.test(encodeURIComponent(text))) {
    return 'it contains a percent-encoded slash, backslash, dot or control character'
  }
  return null
}

function parsePath(path: string, search: string): ParsedTarget {
  if (path.includes('\\')) return bad('it contains a backslash')
  if (doublyEncodedSyntax.test(path)) return bad("it's percent-encoded twice")
  const written = path.slice(1).split('/')
  const segments: string[] = []
  for (const segment of written) {
    if (segment === '..') {
      if (segments.pop() === undefined) return bad('it leads above the root')
    } else if (segment !== '' && segment !== '.') {
      const text = decodePath(segment)
      if (text === null) return bad('its percent-encoding is malformed')
      const problem = segmentProblem(text)
      if (problem) return bad(`in a segment, ${problem}`)
      segments.push(text)
    }
  }
  // A single call encodes all segments. Thousands of calls would take milliseconds.
  const pathname = `/${encodePath(segments.join('/'))}`
  // Segments are never empty, so this location can't begin with two slashes.
  if (segments.length !== written.length && path !== '/') {
    return { kind: 'redirect', status: 308, location: pathname + search }
  }
  return { kind: 'ok', pathname, search }
}

// Leaves the characters that RFC 3986 §3.3 allows in a path unencoded, but encodes `?` and `#`,
// which would end the path.
function encodePath(text: string): string {
  return encodeURI(text).replaceAll('?', '%3F').replaceAll('#', '%23')
}

const tooManyPairs = `its query has more than ${maxQueryPairs} pairs`

function hasTooManyPairs(search: string): boolean {
  if (search.length <= maxQueryPairs) return false
  let pairs = 1
  for (let at = search.indexOf('&'); at !== -1; at = search.indexOf('&', at + 1)) pairs++
  return pairs > maxQueryPairs
}

/** @returns `null` if the percent-encoding is malformed */
export function decodePath(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function bad(reason: string, status: 400 | 414 = 400): ParsedTarget {
  return { kind: 'bad', status, reason }
}
