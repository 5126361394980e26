import { checksumTrailerBytes, crc32, writeChecksumTrailer } from '../../shared/checksum.ts'

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

/** What was passed on so far. */
export type VerifiedEnd = { readonly byteCount: number; readonly checksum: number }

/** Brings what comes after the bytes that were passed on. @returns `null` where it can't be had */
export type GoOn = (passed: VerifiedEnd) => Promise<ReadableStream<Uint8Array> | null>

/**
 * Verifies page data by its end mark.
 * @param onProgress called for every chunk
 * @param goOn called when the data broke off
 */
export function verifyStream(
  body: ReadableStream<Uint8Array>,
  onProgress: () => void,
  goOn: GoOn = async () => null,
): VerifiedStream {
  let count = 0
  let whole: Promise<void> = Promise.resolve()
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const onBytes = (bytes: number) => {
        count += bytes
        onProgress()
      }
      whole = passAll(body, { controller, onBytes, goOn })
      whole.then(
        () => controller.close(),
        () => {},
      )
    },
  })
  return { stream, whole, byteCount: () => count }
}

type Passing = {
  readonly controller: ReadableStreamDefaultController<Uint8Array>
  readonly onBytes: (count: number) => void
  readonly goOn: GoOn
}

async function passAll(body: ReadableStream<Uint8Array>, passing: Passing): Promise<void> {
  let passed: VerifiedEnd = { byteCount: 0, checksum: 0 }
  for (let source = body; ; ) {
    const end = await pass(source, passed, passing)
    if (end.mark === writeChecksumTrailer(end.passed.checksum)) return
    passed = end.passed
    const next = await passing.goOn(passed)
    if (next === null) throw end.error ?? new BrokenPayload(cutOrChanged)
    source = next
  }
}

const cutOrChanged = 'Page data was cut or changed on its way.'

/** Passes a body on to its end. @returns what stood there in place of the mark, or is it */
async function pass(
  body: ReadableStream<Uint8Array>,
  before: VerifiedEnd,
  { controller, onBytes }: Passing,
): Promise<{ passed: VerifiedEnd; mark: string; error?: unknown }> {
  const reader = body.getReader()
  let rest: Uint8Array = new Uint8Array()
  let passed = before
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      onBytes(next.value.length)
      const known = concat(rest, next.value)
      const sure = known.subarray(0, startOfMark(known))
      rest = known.subarray(sure.length)
      if (sure.length === 0) continue
      const byteCount = passed.byteCount + sure.length
      passed = { byteCount, checksum: crc32(sure, passed.checksum) }
      controller.enqueue(sure)
    }
    return { passed, mark: decoder.decode(rest) }
  } catch (error) {
    return { passed, mark: '', error }
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
