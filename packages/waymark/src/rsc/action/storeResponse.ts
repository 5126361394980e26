import type { HandlerResponse, StreamedBody } from '../../http/response.ts'
import { followBody } from '../../http/stream.ts'

export type StoredResponse = Pick<HandlerResponse, 'status' | 'headers'> & {
  readonly body: Uint8Array
}

export type StoreOptions = {
  readonly maxBytes: number
  /** Milliseconds that a response may still take after its reader has left. */
  readonly unreadMs: number
  /**
   * Functions that cancel responses without a reader. Above `maxUnread`, the oldest response is
   * canceled.
   */
  readonly unread: Set<() => void>
  readonly maxUnread: number
  /** Called once, with `null` if the response was too large, failed or didn't end in time. */
  readonly onStored: (stored: StoredResponse | null) => void
}

/**
 * Stores a response while it is sent. If the client leaves, the rest is still read, so that the
 * whole response can be stored.
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

// Copies bytes into their own memory. A small Buffer is a view of Node's 8 kB pool and would keep the whole pool in
// memory.
function copyOf(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength === bytes.buffer.byteLength) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength)
  copy.set(bytes)
  return copy
}

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
        // Ignore errors of the cleanup, because the reader has left.
        close().catch(() => {})
      }
      void readRest(async () => !isOver && !(await next()).done, leave, options)
    },
  })
}

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
    // A body that failed can't be stored.
  }
  giveUp()
}
