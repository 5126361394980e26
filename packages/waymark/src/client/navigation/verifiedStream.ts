import { checksumTrailerBytes, crc32, writeChecksumTrailer } from '../../shared/checksum.ts'
import { isHeartbeat } from '../../shared/stream.ts'

/** Page data while it arrives: what came is passed on, and at the end it is known to be whole. */
export type VerifiedStream = {
  /** For React's decoder. It never errs: what was cut simply does not go on. */
  readonly stream: ReadableStream<Uint8Array>
  /** Resolves at a true end; rejects when the data was cut or changed on its way. */
  readonly whole: Promise<void>
}

export class BrokenPayload extends Error {
  override readonly name: string = 'BrokenPayload'
}

/** Gets the size of each chunk; a heartbeat is one that holds nothing else. */
export type OnProgress = (isHeartbeat?: boolean, byteCount?: number) => void

export type VerifiedEnd = { readonly byteCount: number; readonly checksum: number }

/** Brings what comes after the bytes that were passed on. @returns `null` where it can't be had */
export type Resume = (passed: VerifiedEnd) => Promise<ReadableStream<Uint8Array> | null>

/** Verifies page data by its end mark; `resume` is called when the data broke off. */
export function verifyStream(
  body: ReadableStream<Uint8Array>,
  onProgress: OnProgress,
  resume: Resume = async () => null,
): VerifiedStream {
  let byteCount = 0
  let checksum = 0

  async function passAll(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const onSure = (bytes: Uint8Array) => {
      byteCount += bytes.length
      checksum = crc32(bytes, checksum)
      controller.enqueue(bytes)
    }
    for (let source: ReadableStream<Uint8Array> | null = body; source; ) {
      const { mark, cause } = await readToMark(source, onProgress, onSure)
      if (mark === writeChecksumTrailer(checksum)) return controller.close()
      source = await resume({ byteCount, checksum })
      if (!source) throw new BrokenPayload('Page data was cut or changed on its way.', { cause })
    }
  }
  let whole: Promise<void> = Promise.resolve()
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      whole = passAll(controller)
      whole.catch(() => {})
    },
  })
  return { stream, whole }
}

/** Reads a body to its end. `onSure` gets what can't be the mark. */
async function readToMark(
  body: ReadableStream<Uint8Array>,
  onProgress: OnProgress,
  onSure: (bytes: Uint8Array) => void,
): Promise<{ mark: string; cause?: unknown }> {
  const reader = body.getReader()
  let rest: Uint8Array = new Uint8Array()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      onProgress(isHeartbeat(next.value), next.value.length)
      const known = concat(rest, next.value)
      const sure = known.subarray(0, startOfMark(known))
      rest = known.subarray(sure.length)
      if (sure.length > 0) onSure(sure)
    }
    return { mark: new TextDecoder().decode(rest) }
  } catch (cause) {
    return { mark: '', cause }
  }
}

// What may be the mark, or its beginning, is held back until more has come.
function startOfMark(bytes: Uint8Array): number {
  const tail = Math.max(0, bytes.length - checksumTrailerBytes)
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
