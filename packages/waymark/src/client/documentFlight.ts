declare global {
  interface Window {
    __waymark?: FlightPiece[]
  }
}

/** Text, or bytes as base64 in an array. */
type FlightPiece = string | [base64: string]

/**
 * Reads the document's Flight as one stream: whole from a data block, or in the pieces that its
 * scripts push. It ends with the document: what has not come by then will not come.
 */
export function documentFlight(): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start(controller) {
      const block = document.querySelector('script[type="text/x-component"]')
      if (block?.textContent) controller.enqueue(encoder.encode(block.textContent))
      const read = (piece: FlightPiece) =>
        controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : bytesOf(piece[0]))
      window.__waymark ??= []
      window.__waymark.forEach(read)
      window.__waymark.push = (...pieces) => {
        pieces.forEach(read)
        return 0
      }
      if (document.readyState === 'loading') {
        document.addEventListener('DOMContentLoaded', () => controller.close())
      } else {
        controller.close()
      }
    },
  })
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
