import { createHash } from 'node:crypto'
import { MIMEType } from 'node:util'
import { timedOut, withDeadline } from '../../shared/promises.ts'
import { decodeText } from '../request/readBody.ts'

export const bodyWithinMs = 30_000

export type BodyType = {
  readonly kind: 'text' | 'urlencoded' | 'multipart'
  /** Multipart boundary without its leading dashes; `null` if the header has no valid boundary. */
  readonly boundary: string | null
}

const bodyKinds: ReadonlyMap<string, BodyType['kind']> = new Map([
  ['text/plain', 'text'],
  ['application/x-www-form-urlencoded', 'urlencoded'],
  ['multipart/form-data', 'multipart'],
])

/**
 * Parses a content type and its boundary (RFC 2046 §5.1.1).
 * @returns `null` for a content type that actions don't accept
 */
export function parseBodyType(contentType: string | null): BodyType | null {
  // Recognize the content type of Waymark's client without parsing it, because parsing takes as
  // long as decoding a small call.
  if (contentType === plainText) return { kind: 'text', boundary: null }
  try {
    const { essence, params } = new MIMEType(contentType ?? '')
    const kind = bodyKinds.get(essence)
    if (kind === undefined) return null
    const boundary = kind === 'multipart' ? params.get('boundary') : null
    return { kind, boundary: boundary && boundaryPattern.test(boundary) ? boundary : null }
  } catch {
    return null
  }
}

const plainText = 'text/plain;charset=UTF-8'

const boundaryPattern = /^[\w'()+,\-./:=? ]{1,70}$/

/**
 * Reads the body of a call. @returns `null` if the body is invalid or would take too long to decode
 */
export function readReply(
  bytes: Uint8Array<ArrayBuffer>,
  type: BodyType,
): string | null | Promise<FormData | null> {
  if (type.kind !== 'text') return readReplyFields(bytes, type)
  const text = decodeText(bytes)
  return text !== null && isWithinDecodeLimits(text) ? text : null
}

async function readReplyFields(
  bytes: Uint8Array<ArrayBuffer>,
  type: BodyType,
): Promise<FormData | null> {
  const fields = await readFields(bytes, type)
  if (fields === null) return null
  const parts = [...fields]
  const isWithinLimits = parts.every(([name, value]) => {
    // Fields whose names start with `_` belong to a FormData argument, so their values are plain
    // strings of the app.
    const isEncoded = typeof value === 'string' && !name.startsWith('_')
    return name.length <= 1_000 && (!isEncoded || isWithinDecodeLimits(value, parts.length))
  })
  return isWithinLimits ? fields : null
}

// Maximum milliseconds for parsing a body that is already in memory.
const readWithinMs = 3_000

/** Parses a multipart body. @returns `null` if it is invalid or has too many parts */
export async function readFields(
  bytes: Uint8Array<ArrayBuffer>,
  { kind, boundary }: BodyType,
): Promise<FormData | null> {
  if (kind === 'multipart' && boundary === null) return null
  let count = -1
  for (const _ of splitBody(bytes, boundary === null ? '&' : `--${boundary}`)) {
    if (++count > maxParts) return null
  }
  // Write the header anew, so that the platform splits the body at the same boundary at which the
  // parts were counted.
  const contentType =
    boundary === null
      ? 'application/x-www-form-urlencoded'
      : `multipart/form-data; boundary="${boundary}"`
  try {
    const reading = new Response(bytes, { headers: { 'content-type': contentType } }).formData()
    const fields = await withDeadline(reading, readWithinMs)
    return fields === timedOut || [...fields].length > maxParts ? null : fields
  } catch {
    return null
  }
}

/** Hashes the parts without the boundary, which differs each time a form is submitted. */
export function bodyHash(bytes: Uint8Array<ArrayBuffer>, { boundary }: BodyType): string {
  const hash = createHash('sha256')
  if (boundary === null) return hash.update(bytes).digest('base64url')
  for (const part of splitBody(bytes, `--${boundary}`)) {
    // Hash each part's length first, so that the same bytes, split differently, have a different
    // hash.
    hash.update(`${part.byteLength}\n`).update(part)
  }
  return hash.digest('base64url')
}

function* splitBody(bytes: Uint8Array<ArrayBuffer>, separator: string): Iterable<Uint8Array> {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let start = 0
  for (let at = body.indexOf(separator); at !== -1; at = body.indexOf(separator, start)) {
    yield body.subarray(start, at)
    start = at + separator.length
  }
  yield body.subarray(start)
}

export const maxArrayItems = 10_000

/** Maximum number of parts. React sends one part for each file, stream and large value. */
const maxParts = 1_000

const maxDepth = 100
const maxItems = 100_000
const maxDigits = 400

// Maximum product of the numbers of FormData references and parts. For each FormData, React
// searches all parts.
const maxSearches = 100_000

/** Scans the JSON of a React reply once, before React decodes it, to check that it is small enough. */
export function isWithinDecodeLimits(json: string, parts = 1): boolean {
  let depth = 0
  let items = 0
  let digits = 0
  let searches = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code >= 48 && code <= 57) {
      if (++digits > maxDigits) return false
      continue
    }
    digits = 0
    switch (code) {
      case 0x22: // "
        if (json.startsWith('$K', at + 1) && ++searches * parts > maxSearches) return false
        at = endOfText(json, at)
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxDepth) return false
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
      case 0x2c: // ,
        if (++items > maxItems) return false
        break
    }
  }
  return true
}

function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end === -1 ? json.length : end
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0
  while (json[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}
