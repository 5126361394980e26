import type { ByteChannel, Piece } from '../shared/byteChannel.ts'
import { flightScript } from './flightScript.ts'

const closing = '</body></html>'
const encoder = new TextEncoder()

/** Joins a finished document and its payload: one text, sent in one write. */
export function wholeDocument(html: readonly Piece[], flight: readonly Piece[]): string {
  const text = textOf(html)
  const end = text.endsWith(closing) ? text.length - closing.length : text.length
  return text.slice(0, end) + flightScript(flight) + text.slice(end)
}

/**
 * Streams a document, its payload's pieces between React's own writes: React calls `flush`
 * where the HTML written so far stands on its own.
 * @param abort stops the rendering when the reader goes away
 */
export async function* streamedDocument(
  html: ByteChannel,
  flight: ByteChannel,
  abort: () => void,
): AsyncGenerator<Uint8Array> {
  const ready: Piece[] = []
  let htmlPieces: Piece[] = []
  let flightPieces: Piece[] = []
  let ended = 0
  let failure: { error: unknown } | null = null
  let wake: () => void = () => {}

  const flush = () => {
    ready.push(...htmlPieces)
    if (flightPieces.length > 0) ready.push(flightScript(flightPieces))
    htmlPieces = []
    flightPieces = []
    wake()
  }
  const end = () => {
    ended++
    flush()
  }
  const fail = (error: unknown) => {
    failure = { error }
    wake()
  }
  html.listen({ piece: (piece) => htmlPieces.push(piece), flush, end, fail })
  flight.listen({ piece: (piece) => flightPieces.push(piece), end, fail })

  try {
    while (true) {
      if (failure) throw (failure as { error: unknown }).error
      if (ready.length > 0) yield encoder.encode(textOf(ready.splice(0)))
      else if (ended === 2) return
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    if (ended < 2) abort()
  }
}

function textOf(pieces: readonly Piece[]): string {
  const decoder = new TextDecoder()
  let text = ''
  for (const piece of pieces)
    text += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
  return text
}
