import type { Piece } from '../shared/byteChannel.ts'
import { documentEndMark } from '../shared/endMark.ts'
import { joinBytes, type WholeFlight } from './flightText.ts'

/**
 * Inlines a whole payload. One of lines only goes as a data block: no second layer of quotes to
 * write, send and parse.
 */
export function wholeFlightScript({ text, decodable }: WholeFlight, nonce?: string): string {
  // Inside JSON, `<` may be written as an escape; nothing else ends a data block or is changed
  // in it by an HTML parser, since JSON escapes carriage returns and NUL.
  return typeof decodable === 'string'
    ? `<script type="text/x-component">${scriptSafe(text)}${documentEndMark}</script>`
    : flightScript([decodable], nonce) + flightEnd(nonce)
}

/**
 * Inlines a part of a payload as a script that hands it to the client: an array in `window`, to
 * which each script pushes. Bytes that are no text (binary data, a character cut in two) go as
 * base64, in an array of their own.
 */
export function flightScript(pieces: readonly Piece[], nonce?: string): string {
  const attribute = nonce ? ` nonce="${nonce}"` : ''
  return `<script${attribute}>(self.__waymark??=[]).push(${encodePieces(pieces)})</script>`
}

/** Tells the client that the payload is whole. */
export function flightEnd(nonce?: string): string {
  const attribute = nonce ? ` nonce="${nonce}"` : ''
  return `<script${attribute}>self.__waymark.push(null)</script>`
}

function encodePieces(pieces: readonly Piece[]): string {
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
