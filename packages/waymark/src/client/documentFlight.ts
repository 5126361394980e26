import { documentEndMark } from '../shared/endMark.ts'

declare global {
  interface Window {
    __waymark?: FlightPiece[]
  }
}

/** Text; bytes as base64 in an array; or the end. */
type FlightPiece = string | [base64: string] | null

/** The document's own payload while the document arrives. */
export type DocumentFlight = {
  /** For React's decoder. It never errs: what was cut simply does not go on. */
  readonly stream: ReadableStream<Uint8Array>
  /** Rejects when the document ended before its payload. */
  readonly whole: Promise<void>
  /** Hears of each piece that comes. */
  readonly onPiece: (listener: () => void) => void
}

/** Reads the document's payload: whole from a data block, or in the pieces that its scripts push. */
export function documentFlight(): DocumentFlight {
  const encoder = new TextEncoder()
  let heard = () => {}
  let settle: { resolve(): void; reject(error: Error): void }
  const whole = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const end = () => {
        controller.close()
        settle.resolve()
      }
      const read = (piece: FlightPiece) => {
        heard()
        if (piece === null) end()
        else
          controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : bytesOf(piece[0]))
      }
      const block = document.querySelector('script[type="text/x-component"]')?.textContent
      if (block?.endsWith(documentEndMark)) {
        read(block.slice(0, -documentEndMark.length))
        end()
        return
      }
      window.__waymark ??= []
      window.__waymark.forEach(read)
      window.__waymark.push = (...pieces) => {
        pieces.forEach(read)
        return 0
      }
      const onEnd = () => settle.reject(new Error('The document was cut on its way.'))
      if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', onEnd)
      else onEnd()
    },
  })
  const onPiece = (listener: () => void) => {
    heard = listener
  }
  return { stream, whole, onPiece }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
