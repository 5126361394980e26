import { crc32, endMarkBytes, writeEndMark } from '../../shared/endMark.ts'

/** Page data while it arrives: what came is passed on, and at the end it is known to be whole. */
export type VerifiedStream = {
  /** For React's decoder. It never errs: what was cut simply does not go on. */
  readonly stream: ReadableStream<Uint8Array>
  /** Resolves at a true end; rejects when the data was cut or changed on its way. */
  readonly whole: Promise<void>
  /** Bytes so far, the end mark included. */
  readonly byteCount: () => number
}

/** Page data that did not arrive whole. */
export class BrokenPayload extends Error {
  override readonly name = 'BrokenPayload'
}

const decoder = new TextDecoder()

/**
 * Verifies page data by its end mark.
 * @param onProgress called for every piece
 */
export function verifyStream(
  body: ReadableStream<Uint8Array>,
  onProgress: () => void,
): VerifiedStream {
  let count = 0
  let whole: Promise<void> = Promise.resolve()
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      whole = pass(body, controller, (bytes) => {
        count += bytes
        onProgress()
      })
      whole.then(
        () => controller.close(),
        () => {},
      )
    },
  })
  return { stream, whole, byteCount: () => count }
}

async function pass(
  body: ReadableStream<Uint8Array>,
  controller: ReadableStreamDefaultController<Uint8Array>,
  onBytes: (count: number) => void,
): Promise<void> {
  const reader = body.getReader()
  let held: Uint8Array = new Uint8Array()
  let checksum = 0
  while (true) {
    const { done, value } = await reader.read()
    if (done) break
    onBytes(value.length)
    const known = concat(held, value)
    const sure = known.subarray(0, startOfMark(known))
    held = known.subarray(sure.length)
    if (sure.length === 0) continue
    checksum = crc32(sure, checksum)
    controller.enqueue(sure)
  }
  if (decoder.decode(held) !== writeEndMark(checksum)) {
    throw new BrokenPayload('Page data was cut or changed on its way.')
  }
}

// What may be the mark, or its beginning, is held back until more has come.
function startOfMark(bytes: Uint8Array): number {
  const tail = Math.max(0, bytes.length - endMarkBytes)
  const sign = bytes.subarray(tail).lastIndexOf(35)
  return sign === -1 ? bytes.length : tail + sign
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}
