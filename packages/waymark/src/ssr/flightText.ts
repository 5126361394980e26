import type { ByteChunk } from '../shared/byteChannel.ts'

/** A whole payload: as text, and as the only piece that its decoder gets. */
export type WholeFlight = { readonly text: string; readonly decodable: ByteChunk }

/**
 * Joins a whole payload. A decoder that gets one piece finds no row cut in two, which on Node 20
 * costs it dearly; text is the fastest, but a row that tells its length tells it in bytes.
 */
export function joinFlight(pieces: readonly ByteChunk[]): WholeFlight {
  let text = ''
  for (const piece of pieces) text += typeof piece === 'string' ? piece : textOf(piece)
  return { text, decodable: hasOnlyLines(text) ? text : joinBytes(pieces) }
}

// The tags of rows that carry a length instead of ending with a newline: text and binary data.
const lengthTags = 'TAOobUSsLlGgMmV'

/** Tells whether every row of a payload is a line: JSON behind a tag. */
export function hasOnlyLines(text: string): boolean {
  for (let start = 0; start < text.length; ) {
    const tag = text[text.indexOf(':', start) + 1]
    if (tag !== undefined && lengthTags.includes(tag)) return false
    const end = text.indexOf('\n', start)
    if (end === -1) return false
    start = end + 1
  }
  return true
}

// React cuts its views between characters: each is text on its own, unless it is binary data.
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}

/** The bytes of pieces. */
export function joinBytes(pieces: readonly ByteChunk[]): Buffer {
  return Buffer.concat(
    pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  )
}
