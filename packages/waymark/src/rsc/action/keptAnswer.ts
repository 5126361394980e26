import type { HandlerResponse, HeaderLines, StreamedBody } from '../../shared/answer.ts'

/** An answer that can be given again. */
export type StoredResponse = {
  readonly status: number
  readonly headers: HeaderLines
  readonly body: Uint8Array
}

/** What keeping an answer takes. */
export type KeepOptions = {
  readonly maxBytes: number
  /** How long an answer may still arrive once its reader has left. */
  readonly unreadMs: number
  readonly unread: UnreadAnswers
  /** Gets it once it is whole; `null` when it is too large, broke off, or never ends. */
  readonly onKept: (kept: StoredResponse | null) => void
}

/** Answers that arrive without a reader. */
export type UnreadAnswers = {
  /** @param giveUp called when there are too many @returns to be called at its end */
  add(giveUp: () => void): () => void
}

/** Bounds how many answers are read on without a reader: the oldest is given up first. */
export function createUnreadAnswers(maxUnread: number): UnreadAnswers {
  const all = new Set<() => void>()
  return {
    add(giveUp) {
      all.add(giveUp)
      const [oldest] = all
      if (all.size > maxUnread) oldest?.()
      return () => void all.delete(giveUp)
    },
  }
}

/**
 * Keeps an answer while it is sent. One that still arrives is read on when its reader leaves, for
 * a time: whoever asks again shall get all of it.
 * @returns the answer to send in its place
 */
export function storeResponse(
  { status, headers, body, ...others }: HandlerResponse,
  { onKept, ...options }: KeepOptions,
): HandlerResponse {
  const kept = (bytes: Uint8Array | null) => {
    const isKept = bytes !== null && bytes.byteLength <= options.maxBytes
    onKept(isKept ? { status, headers: [...headers], body: copyOf(bytes) } : null)
  }
  if (body === null) kept(new Uint8Array())
  else if (typeof body === 'string') kept(Buffer.from(body))
  else if (body instanceof Uint8Array) kept(body)
  else return { ...others, status, headers, body: keepPieces(body, options, kept) }
  return { ...others, status, headers, body }
}

// Node gives small buffers a part of 8 kB, which would stay as long as one of them.
function copyOf(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength === bytes.buffer.byteLength) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength)
  copy.set(bytes)
  return copy
}

/** Gives a kept answer again. */
export function replayResponse({ status, headers, body }: StoredResponse): HandlerResponse {
  return { status, headers: [...headers, ['waymark-replayed', '1']], body }
}

type Keeping = Omit<KeepOptions, 'onKept'>

function keepPieces(
  body: StreamedBody,
  options: Keeping,
  onEnd: (bytes: Uint8Array | null) => void,
): StreamedBody {
  let pieces: Uint8Array[] = []
  let length = 0
  let isOver = false

  function end(bytes: Uint8Array | null): void {
    if (isOver) return
    isOver = true
    pieces = []
    onEnd(bytes)
  }

  function keep(piece: IteratorResult<Uint8Array>): void {
    if (piece.done) {
      end(Buffer.concat(pieces))
      return
    }
    length += piece.value.byteLength
    if (length > options.maxBytes) end(null)
    else if (!isOver) pieces.push(piece.value)
  }

  return {
    [Symbol.asyncIterator]() {
      const iterator = body[Symbol.asyncIterator]()
      const next = async () => {
        try {
          const piece = await iterator.next()
          keep(piece)
          return piece
        } catch (error) {
          end(null)
          throw error
        }
      }
      const leave = () => {
        end(null)
        // Nobody waits for it any more, so nobody can be told that its clean-up failed.
        iterator.return?.().then(undefined, () => {})
      }
      return {
        next,
        async return() {
          body.stopHeartbeat?.()
          void readOn(async () => !isOver && !(await next()).done, leave, options)
          return { done: true, value: undefined }
        },
      }
    },
  }
}

/**
 * Reads on without a reader, until the end, the deadline, or there are too many of its kind.
 * @param step reads a piece, and tells whether there may be another
 * @param leave called in the end, whichever it is
 */
async function readOn(
  step: () => Promise<boolean>,
  leave: () => void,
  { unreadMs, unread }: Keeping,
): Promise<void> {
  let forget = () => {}
  const giveUp = () => {
    clearTimeout(deadline)
    forget()
    leave()
  }
  const deadline = setTimeout(giveUp, unreadMs)
  forget = unread.add(giveUp)
  try {
    while (await step()) {}
  } catch {
    // It broke off, and was let go of.
  }
  giveUp()
}
