import { createHash } from 'node:crypto'

/**
 * Gives all `Blob`s the same date. `FormData` turns a `Blob` into a file named `blob`, dated at the
 * time of the call, so that the cache key would otherwise change with each call.
 */
export function withoutBlobDates(body: string | FormData): string | FormData {
  if (typeof body === 'string') return body
  const dated = new FormData()
  for (const [name, value] of body) {
    const isBlob = typeof value !== 'string' && value.name === 'blob'
    if (!isBlob) dated.append(name, value)
    else dated.append(name, new File([value], 'blob', { type: value.type, lastModified: 0 }))
  }
  return dated
}

/**
 * Creates a cache key from encoded arguments. The key covers everything that the function can see
 * in its arguments.
 * @param body the result of React's `encodeReply`
 */
export async function keyOfBody(body: string | FormData): Promise<string> {
  return typeof body === 'string' ? body : keyOfParts(body)
}

/**
 * Hashes the parts of a body. Each part starts with a line of JSON that states its length, so that
 * two different bodies never produce the same bytes.
 */
async function keyOfParts(body: FormData): Promise<string> {
  const hash = createHash('sha256')
  for (const [name, value] of body) {
    const { head, content } = await readPart(value)
    hash.update(`${JSON.stringify([name, content.byteLength, ...head])}\n`).update(content)
  }
  return hash.digest('base64url')
}

async function readPart(value: FormDataEntryValue) {
  if (typeof value === 'string') return { head: ['text'], content: new TextEncoder().encode(value) }
  const { type, name, lastModified } = value
  const content = new Uint8Array(await value.arrayBuffer())
  return { head: ['file', type, name, lastModified], content }
}
