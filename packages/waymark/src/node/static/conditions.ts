import type { IncomingHttpHeaders } from 'node:http'

/** What a representation can be compared by. */
export type Validators = {
  /** Strong, with its quotation marks. */
  readonly etag: string
  readonly modifiedAtMs: number
  readonly size: number
}

/** What a request's conditions leave to send. */
export type Outcome =
  | { readonly kind: 'full' }
  | { readonly kind: 'notModified' }
  | { readonly kind: 'preconditionFailed' }
  | { readonly kind: 'range'; readonly first: number; readonly last: number }
  | { readonly kind: 'unsatisfiable' }

const full: Outcome = { kind: 'full' }

/** Tells whether `evaluateConditions` has anything to look at. */
export function hasConditions(headers: IncomingHttpHeaders): boolean {
  return (
    headers['if-none-match'] !== undefined ||
    headers.range !== undefined ||
    headers['if-modified-since'] !== undefined ||
    headers['if-match'] !== undefined ||
    headers['if-unmodified-since'] !== undefined
  )
}

/**
 * Evaluates a GET's or HEAD's preconditions and range against what would be sent.
 * @see RFC 9110 §13.2.2 (their order) and §14.2
 */
export function evaluateConditions(
  method: string | undefined,
  headers: IncomingHttpHeaders,
  validators: Validators,
): Outcome {
  if (!isStillWanted(headers, validators)) return { kind: 'preconditionFailed' }
  if (isKnownToClient(headers, validators)) return { kind: 'notModified' }
  if (method !== 'GET' || headers.range === undefined) return full
  return isRangeCurrent(headers['if-range'], validators)
    ? parseRange(headers.range, validators.size)
    : full
}

function isStillWanted(headers: IncomingHttpHeaders, validators: Validators): boolean {
  const match = headers['if-match']
  if (match !== undefined) return listsTag(match, validators.etag, 'strong')
  const since = parseDate(headers['if-unmodified-since'])
  return since === null || seconds(validators.modifiedAtMs) <= seconds(since)
}

function isKnownToClient(headers: IncomingHttpHeaders, validators: Validators): boolean {
  const noneMatch = headers['if-none-match']
  if (noneMatch !== undefined) return listsTag(noneMatch, validators.etag, 'weak')
  const since = parseDate(headers['if-modified-since'])
  return since !== null && seconds(validators.modifiedAtMs) <= seconds(since)
}

// RFC 9110 §13.1.5: a weak tag never matches; a date must be the very one that was sent.
function isRangeCurrent(ifRange: unknown, validators: Validators): boolean {
  if (typeof ifRange !== 'string') return true
  if (ifRange.includes('"')) return ifRange.trim() === validators.etag
  const date = parseDate(ifRange)
  return date !== null && seconds(date) === seconds(validators.modifiedAtMs)
}

function parseRange(header: string, size: number): Outcome {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header)
  // Several ranges, other units and what can't be read: the range is ignored.
  if (match === null || (match[1] === '' && match[2] === '')) return full
  if (match[1] === '') {
    const suffix = Number(match[2])
    if (suffix === 0 || size === 0) return { kind: 'unsatisfiable' }
    return { kind: 'range', first: Math.max(0, size - suffix), last: size - 1 }
  }
  const first = Number(match[1])
  const last = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  if (match[2] !== '' && Number(match[2]) < first) return full
  return first < size ? { kind: 'range', first, last } : { kind: 'unsatisfiable' }
}

function listsTag(list: string, etag: string, comparison: 'weak' | 'strong'): boolean {
  if (list.trim() === '*') return true
  for (const [tag] of list.matchAll(/(?:W\/)?"[^"]*"/g)) {
    if (tag === etag || (comparison === 'weak' && tag === `W/${etag}`)) return true
  }
  return false
}

function parseDate(text: string | undefined): number | null {
  if (text === undefined) return null
  const timeMs = Date.parse(text)
  return Number.isNaN(timeMs) ? null : timeMs
}

// HTTP dates know no fractions.
function seconds(timeMs: number): number {
  return Math.floor(timeMs / 1000)
}
