import { maxParts } from './budget.ts'

/** The media types that forms are sent in. */
export type FormType = 'multipart' | 'urlencoded'

/** Tells which kind of form a `content-type` names, if any. */
export function formTypeOf(contentType: string | null): FormType | null {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'multipart/form-data') return 'multipart'
  return type === 'application/x-www-form-urlencoded' ? 'urlencoded' : null
}

/**
 * Reads the fields of a form's body, with its files.
 * @returns `null` for what is none, and for more parts than a form may have
 */
export async function readFields(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<FormData | null> {
  if (countParts(bytes, contentType) > maxParts) return null
  try {
    return await new Response(bytes, { headers: { 'content-type': contentType } }).formData()
  } catch {
    return null
  }
}

// Counted before the platform builds an object for each.
function countParts(bytes: Uint8Array<ArrayBuffer>, contentType: string): number {
  const separator = formTypeOf(contentType) === 'urlencoded' ? '&' : boundaryOf(contentType)
  if (separator === null) return Number.POSITIVE_INFINITY
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let count = 0
  for (let at = body.indexOf(separator); at !== -1; at = body.indexOf(separator, at + 1)) {
    if (++count > maxParts + 1) break
  }
  return count
}

/**
 * What stands before each part of a multipart body; `null` for a body of another type.
 * @see RFC 2046 §5.1.1: a boundary has 1 to 70 characters, in quotes where it needs them
 */
export function boundaryOf(contentType: string): string | null {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  return boundary === undefined ? null : `--${boundary}`
}
