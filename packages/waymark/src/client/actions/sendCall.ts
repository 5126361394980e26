import { createFromReadableStream } from '@vitejs/plugin-rsc/react/browser'
import type { ActionResponse } from '../../shared/actionResponse.ts'
import { crc32 } from '../../shared/checksum.ts'
import {
  actionHeader,
  buildHeader,
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

/** A response, and what is still to come of it. */
export type ReceivedResponse = Omit<LoadedPage, 'payload'> & {
  readonly response: ActionResponse
  readonly status: number
}

/** A call, and how it is sent. */
export type CallRequest = {
  readonly call: EncodedCall
  /** Of the page, as the browser shows it. */
  readonly url: URL
  /** Pathname that decides about interceptions. */
  readonly from: string
  /** Idempotency key. */
  readonly key: string
  /** Silence after which the connection of a response counts as broken. */
  readonly silenceMs: number
  /** Silence after which a response that is requested again counts as lost. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Called when a response breaks off whose result was given already: request it again? */
  readonly shouldResume: () => Promise<boolean>
}

/**
 * Sends a call, and reads its response, whatever its status. No layout is said to be mounted: each
 * may show what the action changes.
 * @throws TransportFailure; what `fetch` throws when `signal` aborts
 */
export async function sendCall(request: CallRequest): Promise<ReceivedResponse> {
  const { signal } = request
  const connection = await connect(request)
  try {
    return await readResponse(request, connection)
  } catch (error) {
    connection.abort()
    if (signal.aborted || error instanceof TransportFailure) throw error
    throw new TransportFailure('broken')
  }
}

/** A response whose headers have come. */
type Connection = {
  readonly status: number
  readonly build: string | null
  readonly body: ReadableStream<Uint8Array>
  readonly abort: () => void
}

async function connect(request: CallRequest, broken = new AbortController()): Promise<Connection> {
  const { call, url, from, key, signal } = request
  let response: Response
  try {
    response = await fetch(url.pathname + url.search, {
      method: 'POST',
      body: call.body,
      headers: {
        ...nonceHeaders(),
        accept: 'text/x-component',
        [actionHeader]: call.id,
        [idempotencyKeyHeader]: key,
        [navigationFromHeader]: from,
      },
      signal: AbortSignal.any([signal, broken.signal]),
    })
  } catch (error) {
    if (signal.aborted) throw error
    throw new TransportFailure('network')
  }
  const { body, headers, status } = response
  if (headers.get('content-type')?.startsWith('text/x-component') && body) {
    return { status, build: headers.get(buildHeader), body, abort: () => broken.abort() }
  }
  body?.cancel().catch(() => {})
  throw new TransportFailure('foreign')
}

async function readResponse(
  request: CallRequest,
  { status, build, body, abort: abortFirst }: Connection,
): Promise<ReceivedResponse> {
  const { url, silenceMs } = request
  let isGiven = false
  let abort = abortFirst
  // A server that is at work says so each second.
  const silence = createDeadline({
    timeoutMs: silenceMs,
    hardCapMs: noCapMs,
    onTimeout: () => abort(),
  })
  const listeners = [silence.progress]
  const verified = verifyStream(
    body,
    () => {
      for (const listener of listeners) listener()
    },
    async (passed) => {
      silence.stop()
      // Until its result is given, all of a response is requested again.
      const rest = isGiven ? await requestRest(request, passed) : null
      if (rest === null) return null
      abort = rest.abort
      silence.restart()
      return rest.body
    },
  )
  const { whole } = verified
  whole.then(silence.stop, silence.stop)
  const cut = whole.then(() => new Promise<never>(() => {}))
  const decoded = createFromReadableStream<ActionResponse>(failingWhenCut(verified))
  const response = await Promise.race([decoded, cut])
  if (typeof response?.kind !== 'string') throw new TransportFailure('foreign')
  await Promise.race([whole, pause((listener) => listeners.push(listener))])
  isGiven = true
  const onBytes = (listener: () => void) => void listeners.push(listener)
  return { response, url, status, build, whole, onBytes }
}

/** Requests the same response for as long as it is wanted. @returns what comes after a part of it */
async function requestRest(
  request: CallRequest,
  passed: VerifiedEnd,
): Promise<Pick<Connection, 'body' | 'abort'> | null> {
  while (await request.shouldResume()) {
    const broken = new AbortController()
    const abort = () => broken.abort()
    const deadline = createDeadline({
      timeoutMs: request.timeoutMs,
      hardCapMs: noCapMs,
      onTimeout: abort,
    })
    try {
      const { body } = await connect(request, broken)
      const rest = await resumeStream(body, passed, deadline.progress)
      return rest && { body: rest, abort }
    } catch {
      // It may come the next time.
    } finally {
      deadline.stop()
    }
  }
  return null
}

/** Longer than any result streams: only silence counts. */
const noCapMs = 2 ** 31 - 1

/** The stream for React's decoder: where it is cut, what waits for the rest fails. */
function failingWhenCut({ stream, whole }: VerifiedStream): ReadableStream<Uint8Array> {
  const passed = new TransformStream<Uint8Array, Uint8Array>({
    start(controller) {
      whole.catch(() => controller.error(new ActionError('cut')))
    },
  })
  stream.pipeTo(passed.writable).catch(() => {})
  return passed.readable
}

const pauseMs = 50
const longestWaitMs = 300

/**
 * Resolves once nothing has come for a moment. A result is given to the app once, so it had better
 * be whole; one that streams is known by its pauses, and is not waited for.
 */
function pause(onBytes: (listener: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const { progress } = createDeadline({
      timeoutMs: pauseMs,
      hardCapMs: longestWaitMs,
      onTimeout: resolve,
    })
    onBytes(progress)
  })
}

/** Why a request brought no response of the site. */
export type TransportFault =
  /** The connection failed, or the user is offline. */
  | 'network'
  /** Something else responded: a gateway, a portal. */
  | 'foreign'
  /** The response was cut or changed on its way. */
  | 'broken'

/** A call without a response of the site. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure'
  readonly fault: TransportFault

  constructor(fault: TransportFault) {
    super(`A server action got no response: ${fault}.`)
    this.fault = fault
  }
}

/**
 * Skips the part of a repeated response that was passed on of the first one.
 * @param onProgress called for each chunk of that part
 * @returns the rest; `null` when the response does not begin with the same bytes
 */
async function resumeStream(
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
