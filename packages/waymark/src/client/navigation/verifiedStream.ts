import { isHeartbeat } from '../../http/stream.ts'
import {
  checksumRowBytes,
  checksumTrailerBytes,
  crc32,
  isChecksumRow,
  mayBeChecksumRow,
  writeChecksumTrailer,
} from '../../wire/checksum.ts'

/** Page data while it arrives. */
export type VerifiedStream = {
  /** For React's decoder. It has only verified bytes, and never errs: data that broke stays open. */
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

/**
 * Passes page data on once a checksum covers it: at each checksum row of the server, and at the end.
 * React never decodes a byte that was changed on its way, so no broken row becomes an error screen.
 * @param resume is called when the data broke off
 */
export function verifyStream(
  body: ReadableStream<Uint8Array>,
  onProgress: OnProgress,
  resume: Resume = async () => null,
): VerifiedStream {
  let passed: VerifiedEnd = { byteCount: 0, checksum: 0 }

  async function passAll(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const pass = (pieces: readonly Uint8Array[], checksum: number) => {
      let { byteCount } = passed
      for (const piece of pieces) {
        byteCount += piece.length
        controller.enqueue(piece)
      }
      passed = { byteCount, checksum }
    }
    for (let source: ReadableStream<Uint8Array> | null = body; source; ) {
      const { isWhole, cause } = await readVerified(source, passed.checksum, { onProgress, pass })
      if (isWhole) return controller.close()
      source = await resume(passed)
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

type Reading = {
  readonly onProgress: OnProgress
  /** Gets what was verified since the last call, and the checksum of all of it. */
  readonly pass: (pieces: readonly Uint8Array[], checksum: number) => void
}

/** Reads a body to its end. @param checksum of the bytes before it */
async function readVerified(
  body: ReadableStream<Uint8Array>,
  checksum: number,
  { onProgress, pass }: Reading,
): Promise<{ isWhole: boolean; cause?: unknown }> {
  const reader = body.getReader()
  let current = checksum
  let unverified: Uint8Array[] = []
  const add = (bytes: Uint8Array) => {
    if (bytes.length === 0) return
    unverified.push(bytes)
    current = crc32(bytes, current)
  }
  const passUnverified = () => {
    pass(unverified, current)
    unverified = []
  }
  // What may be the beginning of a checksum row, or the end mark.
  let rest: Uint8Array = new Uint8Array()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      onProgress(isHeartbeat(next.value), next.value.length)
      const bytes = concat(rest, next.value)
      let start = 0
      for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, end + 1)) {
        const rowStart = end + 1 - checksumRowBytes
        // A text of the page may look like such a row.
        if (rowStart < start || !mayBeChecksumRow(bytes, rowStart)) continue
        add(bytes.subarray(start, rowStart))
        const row = bytes.subarray(rowStart, end + 1)
        const isVerified = isChecksumRow(row, current)
        add(row)
        start = end + 1
        if (isVerified) passUnverified()
      }
      const restStart = Math.max(start, bytes.length - checksumRowBytes + 1)
      add(bytes.subarray(start, restStart))
      rest = bytes.subarray(restStart)
    }
  } catch (cause) {
    return { isWhole: false, cause }
  }
  const trailerStart = Math.max(0, rest.length - checksumTrailerBytes)
  add(rest.subarray(0, trailerStart))
  const trailer = new TextDecoder().decode(rest.subarray(trailerStart))
  if (trailer !== writeChecksumTrailer(current)) return { isWhole: false }
  passUnverified()
  return { isWhole: true }
}

const newline = 10

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}
