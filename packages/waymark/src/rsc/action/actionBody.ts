import { createHash } from 'node:crypto'
import { MIMEType } from 'node:util'
import { timedOut, withDeadline } from '../../shared/promises.ts'

/** The media types that forms are sent in. */
export type FormType = 'multipart' | 'urlencoded'

const urlencodedType = 'application/x-www-form-urlencoded'
const multipartType = 'multipart/form-data'

/** Tells which kind of form a `content-type` names, if any. */
export function formTypeOf(contentType: string | null): FormType | null {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  if (type === multipartType) return 'multipart'
  return type === urlencodedType ? 'urlencoded' : null
}

/** How long a client may take to send a body. */
export const bodyWithinMs = 30_000

/** How React's client has encoded the arguments of a call. */
export type ReplyType = 'text' | 'multipart'

/** @returns `null` for what is no call of React's client */
export function replyTypeOf(contentType: string): ReplyType | null {
  if (/^text\/plain\s*(?:;|$)/i.test(contentType)) return 'text'
  return formTypeOf(contentType) === 'multipart' ? 'multipart' : null
}

/**
 * Reads the arguments of a call, as React's client has encoded them.
 * @returns `null` for what is none, or costs too much to decode
 */
export async function readReply(
  bytes: Uint8Array<ArrayBuffer>,
  type: ReplyType,
  contentType: string,
): Promise<string | FormData | null> {
  if (type === 'multipart') {
    const fields = await readFields(bytes, contentType)
    return fields && isReplyWithinLimits(fields) ? fields : null
  }
  try {
    const text = utf8.decode(bytes)
    return isWithinDecodeLimits(text) ? text : null
  } catch {
    return null
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function isReplyWithinLimits(fields: FormData): boolean {
  const parts = [...fields]
  // A name with `_` is a field of a FormData among the arguments: its text is the app's own.
  const isOwnText = (name: string) => name.startsWith('_')
  return parts.every(
    ([name, value]) =>
      name.length <= 1_000 &&
      (typeof value !== 'string' || isOwnText(name) || isWithinDecodeLimits(value, parts.length)),
  )
}

// All of the body is there: it takes no more than the computation.
const readWithinMs = 3_000

/**
 * Reads the fields of a form's body, with its files.
 * @returns `null` for what is none, and for more parts than a form may have
 */
export async function readFields(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<FormData | null> {
  const boundary = boundaryOf(contentType)
  const isMultipart = formTypeOf(contentType) === 'multipart'
  if (isMultipart && boundary === null) return null
  if (countParts(bytes, isMultipart ? `--${boundary}` : '&') > maxParts) return null
  // Written again: however the platform reads types, it separates the parts that were counted.
  const type = isMultipart ? `${multipartType}; boundary="${boundary}"` : urlencodedType
  try {
    const reading = new Response(bytes, { headers: { 'content-type': type } }).formData()
    const fields = await withDeadline(reading, readWithinMs)
    return fields === timedOut || [...fields].length > maxParts ? null : fields
  } catch {
    return null
  }
}

// Counted before the platform builds an object for each.
function countParts(bytes: Uint8Array<ArrayBuffer>, separator: string): number {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let count = 0
  for (let at = body.indexOf(separator); at !== -1; at = body.indexOf(separator, at + 1)) {
    if (++count > maxParts + 1) break
  }
  return count
}

/**
 * The boundary of a multipart body, without the dashes before it, as browsers and servers find it
 * in a `content-type`; `null` for a body of another type.
 * @see MIME Sniffing §4.4; RFC 2046 §5.1.1: it has 1 to 70 of these characters
 */
export function boundaryOf(contentType: string): string | null {
  if (formTypeOf(contentType) !== 'multipart') return null
  try {
    const boundary = new MIMEType(contentType).params.get('boundary')
    return boundary && /^[\w'()+,\-./:=? ]{1,70}$/.test(boundary) ? boundary : null
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
export function bodyHash(body: Uint8Array<ArrayBuffer>, contentType: string): string {
  const hash = createHash('sha256')
  const boundary = boundaryOf(contentType)
  if (boundary === null) return hash.update(body).digest('base64url')
  const separator = `--${boundary}`
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(separator, start)
    const end = found === -1 ? bytes.length : found
    // With its length, no part can pass for two.
    hash.update(`${end - start}\n`).update(bytes.subarray(start, end))
    start = found === -1 ? bytes.length + 1 : end + separator.length
  }
  return hash.digest('base64url')
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

/** The fields of a form by name; a name that is there more than once has all of its values. */
export type FormValues = Record<string, FormDataEntryValue | FormDataEntryValue[]>

/**
 * Makes an object of a form's fields, for a schema to look at. React's own fields are left out, and
 * so is a file field in which none was chosen.
 */
export function formValues(fields: FormData): FormValues {
  // Without a prototype: a field may have any name.
  const values: FormValues = Object.create(null)
  for (const [name, value] of fields) {
    if (name.startsWith('$ACTION_') || isNoFile(value)) continue
    const known = values[name]
    if (known === undefined) values[name] = value
    else if (Array.isArray(known)) known.push(value)
    else values[name] = [known, value]
  }
  return { ...values }
}

/**
 * What of a form may be shown in it again: its texts, without those of password fields, as far as
 * their names tell.
 */
export function echoedValues(fields: FormData): Record<string, string | string[]> {
  const shown: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(formValues(fields))) {
    if (secretName.test(name)) continue
    if (Array.isArray(value)) shown[name] = value.filter((each) => typeof each === 'string')
    else if (typeof value === 'string') shown[name] = value
  }
  return shown
}

const secretName = /passw|passphrase|secret|token|cvc|cvv|\bpin\b/i

// HTML §4.10.21.4: what a browser sends of a file field without a file.
function isNoFile(value: FormDataEntryValue): boolean {
  return typeof value !== 'string' && value.size === 0 && value.name === ''
}
