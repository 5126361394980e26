import { documentEndMark, interactiveAttribute } from '../shared/documentMarks.ts'
import { type ByteChunk, joinPieces } from '../shared/stream.ts'

type InlineOptions = {
  /** Says that the page needs React at once. */
  readonly isInteractive?: boolean
  readonly nonce?: string | undefined
}

/** Inlines a whole payload. One of lines only goes as a data block, without a second layer of quotes. */
export function wholeFlightScript(
  { text, decodable }: WholeFlight,
  options: InlineOptions,
): string {
  const attribute = options.isInteractive ? ` ${interactiveAttribute}` : ''
  // Its first attribute: an open quote of content before it would take it over from any other place.
  const nonce = options.nonce ? ` nonce="${options.nonce}"` : ''
  // Inside JSON, `<` may be written as an escape; nothing else ends a data block or is changed
  // in it by an HTML parser, since JSON escapes carriage returns and NUL.
  return typeof decodable === 'string'
    ? `<script${nonce} type="text/x-component"${attribute}>${scriptSafe(text)}${documentEndMark}</script>`
    : flightScript([decodable], options) + flightEnd(options.nonce)
}

/**
 * Inlines a part of a payload as a script that hands it to the client: an array in `window`, to
 * which each script pushes. Bytes that are no text (binary data, a character cut in two) go as
 * base64, in an array of their own; `true` before it says that the page needs React at once.
 */
export function flightScript(
  pieces: readonly ByteChunk[],
  { isInteractive = false, nonce }: InlineOptions = {},
): string {
  const attribute = nonce ? ` nonce="${nonce}"` : ''
  const pushed = (isInteractive ? 'true,' : '') + encodePieces(pieces)
  return `<script${attribute}>(self.__waymark??=[]).push(${pushed})</script>`
}

/** Tells the client that the payload is whole. */
export function flightEnd(nonce?: string): string {
  const attribute = nonce ? ` nonce="${nonce}"` : ''
  return `<script${attribute}>self.__waymark.push(null)</script>`
}

function encodePieces(pieces: readonly ByteChunk[]): string {
  const bytes = joinPieces(pieces)
  const text = bytes.toString()
  // Text that does not come back as the same bytes was none.
  return Buffer.byteLength(text) === bytes.length && !text.includes('\ufffd')
    ? scriptSafe(JSON.stringify(text))
    : JSON.stringify([bytes.toString('base64')])
}

// A script ends at `</script`, and `<!--` opens a state in which it doesn't.
function scriptSafe(json: string): string {
  return json.includes('<') ? json.replaceAll('<', '\\u003c') : json
}

export type WholeFlight = { readonly text: string; readonly decodable: ByteChunk }

/** Joins a whole payload. Text is decoded fastest, but a row that tells its length tells bytes. */
export function joinFlight(pieces: readonly ByteChunk[]): WholeFlight {
  let text = ''
  for (const piece of pieces) text += typeof piece === 'string' ? piece : textOf(piece)
  return { text, decodable: hasOnlyLines(text) ? text : joinPieces(pieces) }
}

// The tags of rows that carry a length instead of ending with a newline: text and binary data.
const lengthTags = 'TAOobUSsLlGgMmV'

/** Tells whether every row of a payload is a line: JSON behind a tag. */
function hasOnlyLines(text: string): boolean {
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
