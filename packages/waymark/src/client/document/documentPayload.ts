import { documentEndMark } from '../../wire/documentMarks.ts'
import { type DocumentStream, type FlightChunk, payloadBlock } from './documentStream.ts'

export type DocumentPayload = ReturnType<typeof documentPayload>

/**
 * Reads the document's payload, either from a data block or from the chunks that inline scripts push
 * to an array.
 */
export function documentPayload(over: DocumentStream['over']) {
  const encoder = new TextEncoder()
  let notify = () => {}
  let onEnd = () => {}
  let onCut = () => {}
  const whole = new Promise<void>((resolve, reject) => {
    onEnd = resolve
    onCut = reject
  })
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      let hasEnded = false
      const end = () => {
        hasEnded = true
        controller.close()
        onEnd()
      }
      const read = (chunk: FlightChunk) => {
        // Ignore chunks after the end: a proxy that sends the document twice repeats the payload.
        if (hasEnded) return
        notify()
        if (chunk === null) end()
        else if (chunk !== true) controller.enqueue(bytesOf(chunk, encoder))
      }
      const block = payloadBlock(document)
      if (block) {
        read(block.textContent.slice(0, -documentEndMark.length))
        end()
        return
      }
      void over.then(onCut)
      const chunks = window.__waymark ?? []
      chunks.forEach(read)
      chunks.push = (...more) => {
        more.forEach(read)
        return 0
      }
    },
  })
  return {
    /**
     * Stream for React's decoder. It never fails: if the payload is cut off, the stream stays open.
     */
    stream,
    whole,
    onBytes(listener: () => void): void {
      notify = listener
    },
  }
}

function bytesOf(chunk: string | [base64: string], encoder: TextEncoder): Uint8Array {
  if (typeof chunk === 'string') return encoder.encode(chunk)
  return Uint8Array.from(atob(chunk[0]), (character) => character.charCodeAt(0))
}
