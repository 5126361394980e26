type ConditionName = 'if-match' | 'if-none-match' | 'if-modified-since' | 'if-unmodified-since'

/** Headers that make a request conditional, in the form in which Node stores them. */
export type ConditionHeaders = {
  readonly [Name in ConditionName | 'range']?: string | undefined
} & {
  readonly 'if-range'?: string | string[] | undefined
}

/** Properties of a stored body against which conditional requests are checked. */
export type Validators = {
  /** A strong entity tag, including its quotation marks. */
  readonly etag: string
  /**
   * Modification time, or `NaN` if unknown. RFC 9110 §13.1.3 and §13.1.4 ignore conditions on an
   * unknown date.
   */
  readonly modifiedAtMs: number
  readonly size: number
}

// Headers that a 304 repeats from the 200. RFC 9110 §15.4.5
export const notModifiedNames: ReadonlySet<string> = new Set([
  'cache-control',
  'content-location',
  'date',
  'expires',
  'vary',
])

export type ConditionOutcome =
  | { readonly kind: 'full' }
  | { readonly kind: 'notModified' }
  | { readonly kind: 'preconditionFailed' }
  | { readonly kind: 'range'; readonly first: number; readonly last: number }
  | { readonly kind: 'unsatisfiable' }

const full: ConditionOutcome = { kind: 'full' }

/** Evaluates the preconditions and the range of a GET or HEAD request. @see RFC 9110 §13.2.2 (order) and §14.2 */
export function evaluateConditions(
  method: string | undefined,
  headers: ConditionHeaders,
  validators: Validators,
): ConditionOutcome {
  if (!isStillWanted(headers, validators)) return { kind: 'preconditionFailed' }
  if (isNotModified(headers, validators)) return { kind: 'notModified' }
  if (method !== 'GET' || headers.range === undefined) return full
  return isRangeCurrent(headers['if-range'], validators)
    ? parseRange(headers.range, validators.size)
    : full
}

function isStillWanted(headers: ConditionHeaders, validators: Validators): boolean {
  const match = headers['if-match']
  if (match !== undefined) return listsTag(match, validators.etag, 'strong')
  // An invalid date makes `a > b` false, so this condition ignores it. `a <= b` would not.
  return !(seconds(validators.modifiedAtMs) > dateSeconds(headers['if-unmodified-since']))
}

function isNotModified(headers: ConditionHeaders, validators: Validators): boolean {
  const noneMatch = headers['if-none-match']
  if (noneMatch !== undefined) return listsTag(noneMatch, validators.etag, 'weak')
  return seconds(validators.modifiedAtMs) <= dateSeconds(headers['if-modified-since'])
}

// True if the range refers to the current body. A weak tag never matches, and a date must be equal.
// RFC 9110 §13.1.5
function isRangeCurrent(ifRange: unknown, validators: Validators): boolean {
  if (typeof ifRange !== 'string') return true
  if (ifRange.includes('"')) return ifRange.trim() === validators.etag
  return dateSeconds(ifRange) === seconds(validators.modifiedAtMs)
}

function parseRange(header: string, size: number): ConditionOutcome {
  const [, from = '', to = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header) ?? []
  // Several ranges, other units and invalid values get the full body.
  if (from === '' && to === '') return full
  if (from !== '' && to !== '' && Number(to) < Number(from)) return full
  // `-500` means the last 500 bytes.
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return first < size ? { kind: 'range', first, last } : { kind: 'unsatisfiable' }
}

function listsTag(list: string, etag: string, comparison: 'weak' | 'strong'): boolean {
  if (list.trim() === '*') return true
  const tags: readonly string[] = list.match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.includes(etag) || (comparison === 'weak' && tags.includes(`W/${etag}`))
}

/** Parses a date to seconds. @returns `NaN` for an invalid date, so that all comparisons are false */
function dateSeconds(text: string | undefined): number {
  return text === undefined ? Number.NaN : seconds(Date.parse(text))
}

function seconds(timeMs: number): number {
  return Math.floor(timeMs / 1000)
}
