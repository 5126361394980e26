import type { Piece } from '../shared/byteChannel.ts'

/**
 * Writes Flight pieces as a script that hands them to the client: an array in `window`, to which
 * each script pushes. Bytes that are no text (binary data, a character cut in two) go as base64,
 * in an array of their own.
 */
export function flightScript(pieces: readonly Piece[]): string {
  return `<script>(self.__waymark??=[]).push(${encodePieces(pieces)})</script>`
}

function encodePieces(pieces: readonly Piece[]): string {
  const text = textOf(pieces)
  if (text !== null) return scriptSafe(JSON.stringify(text))
  const bytes = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece))
  return JSON.stringify([Buffer.concat(bytes).toString('base64')])
}

function textOf(pieces: readonly Piece[]): string | null {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let text = ''
  try {
    for (const piece of pieces) {
      text += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
    }
    return text + decoder.decode()
  } catch {
    return null
  }
}

// A script ends at `</script`, and `<!--` opens a state in which it doesn't.
function scriptSafe(json: string): string {
  return json.includes('<') ? json.replaceAll('<', '\\u003c') : json
}
