import {
  createFrameReader,
  type FramePosition,
  type FrameReader,
  isHeartbeat,
} from '../../wire/frames.ts'

/** Page data while it arrives. */
export type VerifiedStream = {
  /**
   * Stream of verified bytes for React's decoder. It never fails: if the data breaks, it just stays open.
   * `cancel()` cancels the response, too.
   */
  readonly stream: ReadableStream<Uint8Array>
  /** Resolves once the data is complete. Rejects if it was cut off, changed on its way, or canceled. */
  readonly whole: Promise<void>
}

export class BrokenPayload extends Error {
  override readonly name: string = 'BrokenPayload'
}

/** Called with the size of each chunk. `isHeartbeat` is true if the chunk has nothing but heartbeats. */
export type OnProgress = (isHeartbeat?: boolean, byteCount?: number) => void

/** Fetches the frames after a position. @returns `null` if that isn't possible */
export type Resume = (passed: FramePosition) => Promise<ReadableStream<Uint8Array> | null>

/**
 * Passes page data on frame by frame, each one after its checksum was verified. So React never decodes
 * a byte that was changed on its way, and broken data can't cause an error screen.
 * @param resume called when the data breaks off
 */
export function verifyStream(
  body: ReadableStream<Uint8Array>,
  onProgress: OnProgress,
  resume: Resume = async () => null,
): VerifiedStream {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  let isCancelled = false

  async function passAll(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    let passed: FramePosition | undefined
    for (let source: ReadableStream<Uint8Array> | null = body; source; ) {
      const frames = createFrameReader(passed)
      reader = source.getReader()
      const cause = await readAll(reader, frames, { controller, onProgress })
      if (isCancelled) break
      if (cause === null && frames.state() === 'ended') return controller.close()
      passed = frames.position()
      source = await resume(passed)
      if (isCancelled) {
        source?.cancel().catch(() => {})
        break
      }
      if (!source) {
        throw new BrokenPayload('Page data was cut off or changed in transit.', { cause })
      }
    }
    throw new BrokenPayload('Page data was canceled.')
  }
  let whole: Promise<void> = Promise.resolve()
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      whole = passAll(controller)
      whole.catch(() => {})
    },
    cancel(reason) {
      isCancelled = true
      return reader?.cancel(reason)
    },
  })
  return { stream, whole }
}

type Passing = {
  readonly controller: ReadableStreamDefaultController<Uint8Array>
  readonly onProgress: OnProgress
}

/** Passes the frames of a body on. @returns `null` at its end, or the error if it ended early */
async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  frames: FrameReader,
  { controller, onProgress }: Passing,
): Promise<unknown> {
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      onProgress(isHeartbeat(next.value), next.value.length)
      for (const part of frames.read(next.value)) if (part.length > 0) controller.enqueue(part)
      if (frames.state() !== 'broken') continue
      reader.cancel().catch(() => {})
      return new Error('A frame of page data was changed in transit.')
    }
    return null
  } catch (cause) {
    return cause
  }
}
