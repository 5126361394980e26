import { createHash } from 'node:crypto'
import { boundaryOf } from './readFields.ts'

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
