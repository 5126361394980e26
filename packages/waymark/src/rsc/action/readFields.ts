import { MIMEType } from 'node:util'
import { timedOut, withDeadline } from '../../shared/deadline.ts'
import { maxParts } from './budget.ts'

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
  // Written anew: however the platform reads types, it separates the parts that were counted.
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
