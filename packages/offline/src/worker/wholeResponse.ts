import { checksumTrailerBytes, crc32, writeChecksumTrailer } from 'waymark/internal'

/** A response that has arrived whole. */
export type WholeResponse = {
  readonly bytes: ArrayBuffer
  readonly text: string
  readonly headers: Headers
  readonly isPrivate: boolean
}

/** A response that may be kept; `null`: there is none; `failed`: it is broken, which may mend. */
export type Fetched = WholeResponse | null | 'failed'

/**
 * Fetches a document or a page's data as it is now.
 * @throws where there is no network
 */
export async function fetchPart(url: string, kind: 'document' | 'data'): Promise<Fetched> {
  // Back takes a document from the browser's cache: what a gateway said must not stand there.
  const response = await fetch(url, { cache: 'no-store', priority: 'low' })
  if (response.status >= 500 || response.status === 429) return 'failed'
  const type = kind === 'document' ? 'text/html' : 'text/x-component'
  const { headers, body } = response
  // A redirect leads to a sign-in page, or to another page that has a URL of its own.
  if (response.status !== 200 || response.redirected || !body) return null
  if (headers.get('content-type')?.startsWith(type) !== true) return null
  const bytes = await response.arrayBuffer()
  const text = new TextDecoder().decode(bytes)
  const isWhole = kind === 'document' ? isWholeDocument(text) : isWholeData(bytes, text)
  return isWhole ? { bytes, text, headers, isPrivate: !isPublic(response) } : 'failed'
}

/** Whether caches may store it for all: a response that does not say so is private. */
export function isPublic({ headers }: Response): boolean {
  return !/private|no-store/.test(headers.get('cache-control') ?? 'private')
}

/** A document ends with its payload's end: in a block of its own, or as the last chunk. */
function isWholeDocument(text: string): boolean {
  return /(?:#\n|push\(null\))<\/script><\/body><\/html>\s*$/.test(text)
}

function isWholeData(bytes: ArrayBuffer, text: string): boolean {
  const body = new Uint8Array(bytes).subarray(0, -checksumTrailerBytes)
  return text.endsWith(writeChecksumTrailer(crc32(body)))
}
