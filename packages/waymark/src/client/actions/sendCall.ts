import { createFromReadableStream } from '@vitejs/plugin-rsc/react/browser'
import type { ActionResponse } from '../../shared/actionResponse.ts'
import { crc32 } from '../../shared/checksum.ts'
import {
  actionHeader,
  buildHeader,
  callOrderHeader,
  idempotencyKeyHeader,
  navigationFromHeader,
} from '../../shared/protocol.ts'
import { nonceHeaders } from '../document/documentNonce.ts'
import { createDeadline } from '../navigation/deadline.ts'
import type { LoadedPage } from '../navigation/fetchPage.ts'
import {
  type VerifiedEnd,
  type VerifiedStream,
  verifyStream,
} from '../navigation/verifiedStream.ts'
import { ActionError } from './actionError.ts'
import type { EncodedCall } from './callEncoding.ts'

/** An answer, and what still arrives of it. */
export type ReceivedResponse = Omit<LoadedPage, 'payload'> & {
  readonly answer: ActionResponse
  readonly status: number
}

/** What a call is sent with. */
export type CallSending = {
  readonly call: EncodedCall
  /** Of the page, as the browser shows it. */
  readonly url: URL
  /** Pathname that decides about interceptions. */
  readonly from: string
  readonly submissionKey: string
  /** Its place among the calls of its action. */
  readonly turn: string
  /** Silence after which the connection is broken over which an answer comes. */
  readonly silenceMs: number
  /** Silence after which an answer that broke off is no longer waited for when it is asked for again. */
  readonly lateMs: number
  readonly signal: AbortSignal
  /** Asked when an answer breaks off whose result was given already: is it to be asked for again? */
  readonly goesOn: () => Promise<boolean>
}

/**
 * Sends a call, and reads its answer. Any status counts as long as the body is an answer. No
 * layout is said to be held: each may show what the action changes.
 * @throws TransportFailure; what `fetch` throws when `signal` aborts
 */
export async function sendCall(sending: CallSending): Promise<ReceivedResponse> {
  const { signal } = sending
  const asked = await ask(sending)
  try {
    return await read(sending, asked)
  } catch (error) {
    asked.abort()
    if (signal.aborted || error instanceof TransportFailure) throw error
    throw new TransportFailure('broken')
  }
}

type Asked = {
  readonly response: Response
  readonly body: ReadableStream<Uint8Array>
  readonly abort: () => void
}

async function ask(sending: CallSending, broken = new AbortController()): Promise<Asked> {
  const response = await request(sending, AbortSignal.any([sending.signal, broken.signal]))
  const { body, headers } = response
  if (headers.get('content-type')?.startsWith('text/x-component') && body) {
    return { response, body, abort: () => broken.abort() }
  }
  body?.cancel().catch(() => {})
  throw new TransportFailure('foreign')
}

async function request(sending: CallSending, signal: AbortSignal): Promise<Response> {
  const { call, url, from, submissionKey, turn } = sending
  try {
    return await fetch(url.pathname + url.search, {
      method: 'POST',
      body: call.body,
      headers: {
        ...nonceHeaders(),
        accept: 'text/x-component',
        [actionHeader]: call.id,
        [idempotencyKeyHeader]: submissionKey,
        [callOrderHeader]: turn,
        [navigationFromHeader]: from,
      },
      signal,
    })
  } catch (error) {
    if (sending.signal.aborted) throw error
    throw new TransportFailure('network')
  }
}

async function read(sending: CallSending, asked: Asked): Promise<ReceivedResponse> {
  const { url, silenceMs } = sending
  const { status, headers } = asked.response
  let heard = () => {}
  let isGiven = false
  let { abort } = asked
  const listeners = [() => silence.progress()]
  const onProgress = () => {
    for (const listener of listeners) listener()
    heard()
  }
  const goOn = async (passed: VerifiedEnd) => {
    silence.stop()
    // Until then, all of it is asked for again.
    const more = isGiven ? await askAgain(sending, passed) : null
    if (more === null) return null
    abort = more.abort
    silence.restart()
    return more.body
  }
  const verified = verifyStream(asked.body, onProgress, goOn)
  // A server that is at it says so each second.
  const silence = createDeadline({
    timeoutMs: silenceMs,
    hardCapMs: noCapMs,
    onTimeout: () => abort(),
  })
  verified.whole.then(silence.stop, silence.stop)
  const cut = verified.whole.then(() => new Promise<never>(() => {}))
  const answer = await Promise.race([
    createFromReadableStream<ActionResponse>(failing(verified)),
    cut,
  ])
  if (typeof answer?.kind !== 'string') throw new TransportFailure('foreign')
  const { whole } = verified
  await Promise.race([whole, quiet((listener) => listeners.push(listener))])
  isGiven = true
  const onBytes = (listener: () => void) => {
    heard = listener
  }
  return { answer, url, status, build: headers.get(buildHeader), whole, onBytes }
}

/** Asks for the same answer as long as it is wanted. @returns what comes after a part of it */
async function askAgain(
  sending: CallSending,
  passed: VerifiedEnd,
): Promise<Pick<Asked, 'body' | 'abort'> | null> {
  while (await sending.goesOn()) {
    const broken = new AbortController()
    const abort = () => broken.abort()
    const patience = createDeadline({
      timeoutMs: sending.lateMs,
      hardCapMs: noCapMs,
      onTimeout: abort,
    })
    try {
      const { body } = await ask(sending, broken)
      const rest = await resume(body, passed, patience.progress)
      return rest && { body: rest, abort }
    } catch {
      // Not this time.
    } finally {
      patience.stop()
    }
  }
  return null
}

/** Longer than any result streams: only silence counts. */
const noCapMs = 2 ** 31 - 1

/** The stream for React's decoder: what was cut fails what waits for it, instead of keeping it. */
function failing({ stream, whole }: VerifiedStream): ReadableStream<Uint8Array> {
  const passed = new TransformStream<Uint8Array, Uint8Array>({
    start(controller) {
      whole.catch(() => controller.error(new ActionError('cut')))
    },
  })
  stream.pipeTo(passed.writable).catch(() => {})
  return passed.readable
}

const quietMs = 50
const longestWaitMs = 300

/**
 * A result is given to the app once, so it had better be whole. One that streams is known by its
 * pauses, and is not waited for.
 */
function quiet(onBytes: (listener: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const { progress } = createDeadline({
      timeoutMs: quietMs,
      hardCapMs: longestWaitMs,
      onTimeout: resolve,
    })
    onBytes(progress)
  })
}

/** What became of a request on its way, when no answer of the site came of it. */
export type TransportFault =
  /** The connection failed, or the person is offline. */
  | 'network'
  /** Something else answered: a gateway, a portal. */
  | 'foreign'
  /** The answer was cut or changed on its way. */
  | 'broken'

/** A call that no answer of the site came of. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure'
  readonly fault: TransportFault

  constructor(fault: TransportFault) {
    super(`A server action was not answered: ${fault}.`)
    this.fault = fault
  }
}

/**
 * Goes on in an answer that is given again: what was passed on of the first one is left out.
 * @param onProgress called for each piece of that
 * @returns `null` when it does not begin with the same bytes
 */
export async function resume(
  body: ReadableStream<Uint8Array>,
  { byteCount, checksum }: VerifiedEnd,
  onProgress: () => void,
): Promise<ReadableStream<Uint8Array> | null> {
  const reader = body.getReader()
  let left = byteCount
  let found = 0
  let rest: Uint8Array = new Uint8Array()
  while (left > 0) {
    const { done, value } = await reader.read()
    if (done) return null
    onProgress()
    const known = value.subarray(0, left)
    found = crc32(known, found)
    left -= known.length
    rest = value.subarray(known.length)
  }
  if (found !== checksum) {
    reader.cancel().catch(() => {})
    return null
  }
  return new ReadableStream({
    start: (controller) => void (rest.length > 0 && controller.enqueue(rest)),
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
