import { documentEndMark } from '../shared/documentEndMark.ts'
import { type DocumentStream, type FlightChunk, payloadBlock } from './documentArrival.ts'

/** The document's own payload while the document arrives. */
export type DocumentPayload = {
  /** For React's decoder. It never errs: what was cut simply does not go on. */
  readonly stream: ReadableStream<Uint8Array>
  /** Whether all of it came: not when the document ended before. */
  readonly whole: Promise<boolean>
  /** Hears of each piece that comes. */
  readonly onPiece: (listener: () => void) => void
}

/**
 * Reads the document's payload: whole from a data block, or in the pieces that its scripts push.
 * @param over resolves when no more will come
 */
export function documentPayload(over: DocumentStream['over']): DocumentPayload {
  const encoder = new TextEncoder()
  let heard = () => {}
  let settle: (isWhole: boolean) => void
  const whole = new Promise<boolean>((resolve) => {
    settle = resolve
  })
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const end = () => {
        controller.close()
        settle(true)
      }
      const read = (piece: FlightChunk) => {
        heard()
        if (piece === null) end()
        else if (piece !== true) controller.enqueue(bytesOf(piece, encoder))
      }
      const block = payloadBlock(document)
      if (block) {
        read(block.textContent.slice(0, -documentEndMark.length))
        return end()
      }
      const pieces = window.__waymark ?? []
      pieces.forEach(read)
      pieces.push = (...more) => {
        more.forEach(read)
        return 0
      }
      void over.then(() => settle(false))
    },
  })
  const onPiece = (listener: () => void) => {
    heard = listener
  }
  return { stream, whole, onPiece }
}

function bytesOf(piece: string | [base64: string], encoder: TextEncoder): Uint8Array {
  if (typeof piece === 'string') return encoder.encode(piece)
  return Uint8Array.from(atob(piece[0]), (character) => character.charCodeAt(0))
}
