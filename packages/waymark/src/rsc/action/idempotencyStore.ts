import type { CacheDriver } from '../../cache/cacheDriver.ts'
import type { HandlerResponse, HeaderLines, StreamedBody } from '../../shared/response.ts'

/** The part of a cache driver through which replicas share responses. */
export type IdempotencyStore = Pick<CacheDriver, 'lease'>

/** How a request ended, for other replicas that get it again. */
export type SharedOutcome = {
  readonly bodyHash: string
  /** Hashes of the credentials that it may be repeated with. */
  readonly credentials: readonly string[]
  /** `null` for one that is not stored. */
  readonly response: StoredResponse | null
}

/** The right to run a request, or its outcome on another replica. */
export type IdempotencyLease =
  | { readonly kind: 'stored'; readonly outcome: SharedOutcome }
  | {
      readonly kind: 'own'
      share(outcome: SharedOutcome): Promise<void>
      /** It did not run. */
      release(): Promise<void>
    }
  /** Its response is lost. */
  | { readonly kind: 'gone' }
  /** Another replica runs it, and its response has not come in time, or the client has left. */
  | { readonly kind: 'running' }

const firstPauseMs = 10
const longestPauseMs = 100

/**
 * Acquires the lease of a request, over all replicas, or waits for the one that has it.
 * @param options `ttlMs` of the outcome; `signal` aborts when the client leaves, and costs to read
 */
export async function acquireIdempotencyLease(
  store: IdempotencyStore,
  identity: string,
  options: {
    readonly ttlMs: number
    readonly waitMs: number
    readonly signal: () => AbortSignal
  },
): Promise<IdempotencyLease> {
  const { ttlMs, waitMs, signal } = options
  const endMs = Date.now() + waitMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const lease = await store.lease(`idempotency:${identity}`, ttlMs)
    switch (lease.kind) {
      case 'ours':
        return {
          kind: 'own',
          share: (outcome) => lease.complete(encodeOutcome(outcome)),
          release: lease.release,
        }
      case 'done': {
        const outcome = lease.result && decodeOutcome(lease.result)
        return outcome ? { kind: 'stored', outcome } : { kind: 'gone' }
      }
      case 'running':
        if (Date.now() >= endMs || signal().aborted) return { kind: 'running' }
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

type Head = {
  readonly bodyHash: string
  /** Not of older versions: what they wrote may be repeated by nobody. */
  readonly credentials?: readonly string[]
  /** Not of a response that is not stored. */
  readonly status?: number
  readonly headers?: HeaderLines
}

/** As one line of JSON, and the body of the response. */
function encodeOutcome({ bodyHash, credentials, response }: SharedOutcome): Uint8Array {
  const { status, headers, body = Buffer.alloc(0) } = response ?? {}
  // JSON leaves out what is undefined.
  const head = { bodyHash, credentials, status, headers }
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body])
}

/** The inverse of `encodeOutcome`. @returns `null` for anything else */
function decodeOutcome(bytes: Uint8Array): SharedOutcome | null {
  const lineEnd = bytes.indexOf(0x0a)
  if (lineEnd === -1) return null
  try {
    const head = JSON.parse(Buffer.from(bytes.subarray(0, lineEnd)).toString()) as Head
    const { bodyHash, credentials = [], status, headers } = head
    const isStored = status !== undefined && headers !== undefined
    const response = isStored ? { status, headers, body: bytes.subarray(lineEnd + 1) } : null
    return { bodyHash, credentials, response }
  } catch {
    return null
  }
}

/** A response that can be sent again. */
export type StoredResponse = {
  readonly status: number
  readonly headers: HeaderLines
  readonly body: Uint8Array
}

/** Responses that arrive without a reader. */
export type UnreadResponses = {
  /** @param giveUp called when there are too many @returns to be called at its end */
  add(giveUp: () => void): () => void
}

/** Bounds how many responses are read without a reader: the oldest is given up first. */
export function createUnreadResponses(maxUnread: number): UnreadResponses {
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

/** How a response is stored. */
export type StoreOptions = {
  readonly maxBytes: number
  /** How long it may take to arrive once its reader has left. */
  readonly unreadMs: number
  readonly unread: UnreadResponses
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

/** The response to a repeat. */
export function replayResponse({ status, headers, body }: StoredResponse): HandlerResponse {
  return { status, headers: [...headers, ['waymark-replayed', '1']], body }
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

  return {
    [Symbol.asyncIterator]() {
      const iterator = body[Symbol.asyncIterator]()
      async function next(): Promise<IteratorResult<Uint8Array>> {
        try {
          const result = await iterator.next()
          length += result.done ? 0 : result.value.byteLength
          if (result.done) end(Buffer.concat(chunks))
          else if (length > options.maxBytes) end(null)
          else if (!isOver) chunks.push(result.value)
          return result
        } catch (error) {
          end(null)
          throw error
        }
      }
      const leave = () => {
        end(null)
        // Its reader has left: nobody can be told that its clean-up failed.
        iterator.return?.().then(undefined, () => {})
      }
      return {
        next,
        async return() {
          body.stopHeartbeat?.()
          void readRest(async () => !isOver && !(await next()).done, leave, options)
          return { done: true, value: undefined }
        },
      }
    },
  }
}

/**
 * Reads without a reader, until the end, the deadline, or there are too many of its kind.
 * @param step reads a chunk, and tells whether there may be another
 * @param leave called in the end, whichever it is
 */
async function readRest(
  step: () => Promise<boolean>,
  leave: () => void,
  { unreadMs, unread }: StoreOptions,
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
    // It broke off.
  }
  giveUp()
}
