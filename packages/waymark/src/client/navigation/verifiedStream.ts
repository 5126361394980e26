import {
  createFrameReader,
  type FramePosition,
  type FrameReader,
  isHeartbeat,
} from '../../wire/frames.ts'

/** Page data while it arrives. */
export type VerifiedStream = {
  /**
   * Stream of verified bytes for React's decoder. It never fails: if the data breaks off, it stays
   * open. `cancel()` also cancels the response.
   */
  readonly stream: ReadableStream<Uint8Array>
  /** Resolves once the data is complete. Rejects if the data was cut off, corrupted or canceled. */
  readonly whole: Promise<void>
}

export class BrokenPayload extends Error {
  override readonly name: string = 'BrokenPayload'
}

/** Called with the size of each chunk. `isHeartbeat` is true if the chunk contains only heartbeats. */
export type OnProgress = (isHeartbeat?: boolean, byteCount?: number) => void

/** Fetches the frames after a position. @returns `null` if the response can't be resumed */
export type Resume = (passed: FramePosition) => Promise<ReadableStream<Uint8Array> | null>

/**
 * Passes on page data frame by frame, after verifying each frame's checksum. React therefore never
 * decodes corrupted bytes, and broken data can't cause an error screen.
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

/**
 * Passes a body's frames on.
 * @returns `null` if the body is complete, or the error if the body ended early
 */
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
