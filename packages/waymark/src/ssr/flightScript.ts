import type { Piece } from '../shared/byteChannel.ts'

/** Name of the array in `window` that the document's Flight pieces are pushed to. */
const arrayName = '__waymark'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Writes Flight pieces as the scripts that hand them to the client.
 * Bytes that are no text on their own (a character cut in two, binary data) go as base64.
 */
export function flightScripts(pieces: readonly Piece[]): string {
  let calls = ''
  for (const piece of pieces) calls += `push(${encodePiece(piece)});`
  return `<script>(self.${arrayName}??=[]).${calls.slice(0, -1)}</script>`
}

function encodePiece(piece: Piece): string {
  if (typeof piece === 'string') return scriptSafe(JSON.stringify(piece))
  try {
    return scriptSafe(JSON.stringify(decoder.decode(piece)))
  } catch {
    return `[${JSON.stringify(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('base64'))}]`
  }
}

// A script ends at `</script`, and `<!--` opens a state in which it doesn't.
function scriptSafe(json: string): string {
  return json.includes('<') ? json.replaceAll('<', '\\u003c') : json
}
