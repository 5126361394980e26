import type { CacheDriver } from '../../cache/cacheDriver.ts'
import type { HandlerResponse, HeaderLines, StreamedBody } from '../../shared/response.ts'

/** The part of a cache driver by which replicas find each other's answers. */
export type IdempotencyStore = Pick<CacheDriver, 'lease'>

/** What became of a submission, for replicas that are asked for it again. */
export type SharedOutcome = {
  readonly bodyHash: string
  /** Hashes of the credentials that it may be repeated with. */
  readonly credentials: readonly string[]
  /** `null` for one that can't be given again. */
  readonly answer: StoredResponse | null
}

/** What another replica has answered to a submission, or the right to answer it here. */
export type IdempotencyLease =
  | { readonly kind: 'answered'; readonly outcome: SharedOutcome }
  | {
      readonly kind: 'own'
      /** Tells other replicas. */
      share(outcome: SharedOutcome): Promise<void>
      /** It did not run. */
      release(): Promise<void>
    }
  /** Its answer is lost. */
  | { readonly kind: 'gone' }
  /** Another one runs it and has not answered in time, or nobody waits for it any more. */
  | { readonly kind: 'running' }

/** How long a result is kept, and how long one by somebody else is waited for. */
export type TurnOptions = {
  readonly keepMs: number
  readonly waitMs: number
  /** Aborts when nobody waits for it any more. Reading it is what costs. */
  readonly signal: () => AbortSignal
}

const firstWaitMs = 10
const longestWaitMs = 100

/** Takes the turn for a submission, over all replicas, or waits for the answer of the one that has it. */
export async function acquireIdempotencyLease(
  store: IdempotencyStore,
  identity: string,
  { keepMs, waitMs: askForMs, signal }: TurnOptions,
): Promise<IdempotencyLease> {
  const endMs = Date.now() + askForMs
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    const lease = await store.lease(`submission:${identity}`, keepMs)
    switch (lease.kind) {
      case 'ours':
        return {
          kind: 'own',
          share: (outcome) => lease.complete(writeOutcome(outcome)),
          release: lease.release,
        }
      case 'done': {
        const outcome = lease.result && readOutcome(lease.result)
        return outcome ? { kind: 'answered', outcome } : { kind: 'gone' }
      }
      case 'running':
        if (Date.now() >= endMs || signal().aborted) return { kind: 'running' }
        await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}

type Head = {
  readonly bodyHash: string
  /** Not of older versions: what they wrote may be repeated by nobody. */
  readonly credentials?: readonly string[]
  /** Not of an answer that can't be given again. */
  readonly status?: number
  readonly headers?: HeaderLines
}

/** Writes an outcome as one line of JSON and the body of its answer. */
export function writeOutcome({ bodyHash, credentials, answer }: SharedOutcome): Uint8Array {
  const given = answer && { status: answer.status, headers: answer.headers }
  const head: Head = { bodyHash, credentials, ...given }
  const line = Buffer.from(`${JSON.stringify(head)}\n`)
  return answer ? Buffer.concat([line, answer.body]) : line
}

/** The inverse of `writeOutcome`. @returns `null` for anything else */
export function readOutcome(bytes: Uint8Array): SharedOutcome | null {
  const lineEnd = bytes.indexOf(0x0a)
  if (lineEnd === -1) return null
  try {
    const head = JSON.parse(Buffer.from(bytes.subarray(0, lineEnd)).toString()) as Head
    const { bodyHash, credentials = [], status, headers } = head
    if (status === undefined || headers === undefined) {
      return { bodyHash, credentials, answer: null }
    }
    const answer = { status, headers, body: bytes.subarray(lineEnd + 1) }
    return { bodyHash, credentials, answer }
  } catch {
    return null
  }
}

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
