import type { ByteChunk } from '../shared/byteChannel.ts'
import { documentEndMark } from '../shared/documentEndMark.ts'
import { interactiveAttribute } from '../shared/interactive.ts'
import { joinBytes, type WholeFlight } from './flightText.ts'

/** How a payload is inlined. */
export type InlineOptions = {
  /** Says that the page needs React at once. */
  readonly isInteractive?: boolean
  readonly nonce?: string | undefined
}

/**
 * Inlines a whole payload. One of lines only goes as a data block: no second layer of quotes to
 * write, send and parse.
 */
export function wholeFlightScript(
  { text, decodable }: WholeFlight,
  options: InlineOptions,
): string {
  const attribute = options.isInteractive ? ` ${interactiveAttribute}` : ''
  // Inside JSON, `<` may be written as an escape; nothing else ends a data block or is changed
  // in it by an HTML parser, since JSON escapes carriage returns and NUL.
  return typeof decodable === 'string'
    ? `<script type="text/x-component"${attribute}>${scriptSafe(text)}${documentEndMark}</script>`
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
  const bytes = joinBytes(pieces)
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
