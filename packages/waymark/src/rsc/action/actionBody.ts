import { createHash } from 'node:crypto'
import { MIMEType } from 'node:util'
import { timedOut, withDeadline } from '../../shared/promises.ts'

/** How long a client may take to send a body. */
export const bodyWithinMs = 30_000

/** In which form the input of an action was sent. */
export type BodyType = {
  readonly kind: 'text' | 'urlencoded' | 'multipart'
  /** Of a multipart body, without the dashes before it; `null` where none can be read. */
  readonly boundary: string | null
}

const bodyKinds: ReadonlyMap<string, BodyType['kind']> = new Map([
  ['text/plain', 'text'],
  ['application/x-www-form-urlencoded', 'urlencoded'],
  ['multipart/form-data', 'multipart'],
])

/**
 * Parses a `content-type`, as browsers and servers do.
 * @returns `null` for a type in which no action is called
 * @see MIME Sniffing §4.4; RFC 2046 §5.1.1: a boundary has 1 to 70 of these characters
 */
export function parseBodyType(contentType: string | null): BodyType | null {
  // What our own script sends: parsing it would cost as much as decoding a small call.
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
 * Reads the arguments of a call, as React's client has encoded them: a text, or fields.
 * @returns `null` for what is none, or costs too much to decode
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
    // A name with `_` is a field of a FormData among the arguments: its text is the app's own.
    const isEncoded = typeof value === 'string' && !name.startsWith('_')
    return name.length <= 1_000 && (!isEncoded || isWithinDecodeLimits(value, parts.length))
  })
  return isWithinLimits ? fields : null
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeText(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

// All of the body is there: it takes no more than the computation.
const readWithinMs = 3_000

/**
 * Reads the fields of a form's body, with its files.
 * @returns `null` for what is none, and for more parts than a form may have
 */
export async function readFields(
  bytes: Uint8Array<ArrayBuffer>,
  { kind, boundary }: BodyType,
): Promise<FormData | null> {
  if (kind === 'multipart' && boundary === null) return null
  // Counted before the platform builds an object for each.
  let count = -1
  for (const _ of splitBody(bytes, boundary === null ? '&' : `--${boundary}`)) {
    if (++count > maxParts) return null
  }
  // Written again: however the platform reads types, it separates the parts that were counted.
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

/**
 * Hashes a body by what it says. Browsers make up a boundary each time they send the same form:
 * what stands between counts, part by part.
 * @returns equal only for equal parts in equal order
 * @see RFC 2046 §5.1.1
 */
export function bodyHash(bytes: Uint8Array<ArrayBuffer>, { boundary }: BodyType): string {
  const hash = createHash('sha256')
  if (boundary === null) return hash.update(bytes).digest('base64url')
  for (const part of splitBody(bytes, `--${boundary}`)) {
    // With its length, no part can pass for two.
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

/** Items of one array, after React has decoded it. */
export const maxArrayItems = 10_000

/** Parts of a multipart body: React sends one for each file, stream and large value. */
const maxParts = 1_000

const maxDepth = 100
const maxItems = 100_000
const maxDigits = 400

// References that make React look through all parts of a body, times the parts.
const maxSearches = 100_000

/**
 * Tells whether a structure, as React's client writes it in JSON, may be decoded: it is looked
 * through once, without being built. What stands in texts is the app's own and counts by its
 * bytes only.
 * @param parts how many the body has that the structure came in
 */
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

/** @returns where the closing quote of a JSON text stands, or the end of what is cut */
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
