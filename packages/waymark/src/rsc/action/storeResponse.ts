import type { HandlerResponse, HeaderLines, StreamedBody } from '../../shared/response.ts'
import { followBody } from '../request/followBody.ts'

/** A response that can be sent again. */
export type StoredResponse = {
  readonly status: number
  readonly headers: HeaderLines
  readonly body: Uint8Array
}

/** How a response is stored. */
export type StoreOptions = {
  readonly maxBytes: number
  /** How long it may take to arrive once its reader has left. */
  readonly unreadMs: number
  /** Ends each response that is read without a reader; beyond `maxUnread` the oldest is ended. */
  readonly unread: Set<() => void>
  readonly maxUnread: number
  /** Called once it is whole; with `null` when it is too large, broke off, or never ends. */
  readonly onStored: (stored: StoredResponse | null) => void
}

/**
 * Stores a response while it is sent. When its reader leaves, the rest of it is read for a time:
 * a repeat shall get all of it.
 * @returns the response to send in its place
 */
export function storeResponse(response: HandlerResponse, options: StoreOptions): HandlerResponse {
  const { status, headers, body } = response
  const { maxBytes, onStored } = options
  const store = (bytes: Uint8Array | null) => {
    const isStored = bytes !== null && bytes.byteLength <= maxBytes
    onStored(isStored ? { status, headers: [...headers], body: copyOf(bytes) } : null)
  }
  if (body !== null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    return { ...response, body: collect(body, options, store) }
  }
  store(typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array()))
  return response
}

// Node gives small buffers a part of 8 kB, which would stay as long as one of them.
function copyOf(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength === bytes.buffer.byteLength) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength)
  copy.set(bytes)
  return copy
}

/** @param onEnd called once; with `null` for a body that can't be stored */
function collect(
  body: StreamedBody,
  options: StoreOptions,
  onEnd: (bytes: Uint8Array | null) => void,
): StreamedBody {
  let chunks: Uint8Array[] = []
  let length = 0
  let isOver = false

  function end(bytes: Uint8Array | null): void {
    if (isOver) return
    isOver = true
    chunks = []
    onEnd(bytes)
  }

  return followBody(body, {
    onChunk(bytes) {
      length += bytes.byteLength
      if (length > options.maxBytes) end(null)
      else if (!isOver) chunks.push(bytes)
    },
    onEnd: (isWhole) => end(isWhole ? Buffer.concat(chunks) : null),
    onLeave({ next, close }) {
      body.stopHeartbeat?.()
      const leave = () => {
        end(null)
        // Its reader has left: a failure of its clean-up has no listener.
        close().catch(() => {})
      }
      void readRest(async () => !isOver && !(await next()).done, leave, options)
    },
  })
}

/**
 * Reads without a reader, until the end, the deadline, or there are too many of its kind.
 * @param step reads a chunk, and tells whether there may be another
 * @param leave called in the end, whichever it is
 */
async function readRest(
  step: () => Promise<boolean>,
  leave: () => void,
  { unreadMs, unread, maxUnread }: StoreOptions,
): Promise<void> {
  const giveUp = () => {
    clearTimeout(deadline)
    unread.delete(giveUp)
    leave()
  }
  const deadline = setTimeout(giveUp, unreadMs)
  unread.add(giveUp)
  const [oldest] = unread
  if (unread.size > maxUnread) oldest?.()
  try {
    while (await step()) {}
  } catch {
    // It broke off.
  }
  giveUp()
}
