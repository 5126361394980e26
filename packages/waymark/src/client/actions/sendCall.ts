import { createFromReadableStream } from '@vitejs/plugin-rsc/react/browser'
import type { ActionResponse } from '../../shared/actionResponse.ts'
import { crc32 } from '../../shared/checksum.ts'
import {
  actionHeader,
  besideHeader,
  buildHeader,
  changedHeader,
  idempotencyKeyHeader,
  navigationFromHeader,
} from '../../shared/protocol.ts'
import { nonceHeaders } from '../document/documentNonce.ts'
import { createDeadline } from '../navigation/deadline.ts'
import type { LoadedPage } from '../navigation/fetchPage.ts'
import type { Change } from '../navigation/navigation.ts'
import { type VerifiedEnd, verifyStream } from '../navigation/verifiedStream.ts'
import { ActionError } from './actionError.ts'
import type { FailureChoice, FailureNotice, FailureReason } from './failureNotice.ts'

/** A response, and what is still to come of it. */
export type ReceivedResponse = Omit<LoadedPage, 'payload'> & {
  readonly response: ActionResponse
  /** What the action has changed; `null` for nothing that pages show. */
  readonly changed: Change | null
}

/** A call, and how it is sent. */
export type CallRequest = {
  readonly id: string
  readonly body: string | FormData
  /** Of the page, as the browser shows it. */
  readonly url: URL
  /** Pathname that decides about interceptions. */
  readonly from: string
  /** Pathnames of pages that slots go on showing. */
  readonly beside: readonly string[]
  /** Idempotency key. */
  readonly key: string
  /** Silence after which the connection of a response counts as broken. */
  readonly silenceMs: number
  /** How long a response that is requested again may take to begin. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Called when a response breaks off whose result was given already: request it again? */
  readonly shouldResume: () => Promise<boolean>
}

/** A call without a response of the site. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure'
  readonly reason: Exclude<FailureReason, 'late'>

  constructor(reason: TransportFailure['reason']) {
    super(`A server action got no response: ${reason}.`)
    this.reason = reason
  }
}

/** How long a response may take before the user is asked. */
export const callTimeoutMs = 30_000
/** Before the first retry, of which the user learns nothing. */
const retryMs = 400

/**
 * Sends a call until there is a response or the user gives it up. Every request has the same
 * idempotency key, so that the server runs it once.
 * @param send makes one request. @throws TransportFailure
 * @param ask asks the user
 * @returns the response; `null` when it was given up
 */
export async function sendWithRetry(
  send: (signal: AbortSignal) => Promise<ReceivedResponse>,
  ask: FailureNotice['ask'],
): Promise<ReceivedResponse | null> {
  for (let failures = 0; ; failures++) {
    const outcome = await sendOnce(send, ask)
    if ('received' in outcome) return outcome.received
    const choice = outcome.choice ?? (await retryOrAsk(failures, outcome.reason, ask))
    if (choice === 'dismiss') return null
  }
}

/** What is wrong once may be right the next time; then the user is asked. */
export async function retryOrAsk(
  failures: number,
  reason: FailureReason,
  ask: FailureNotice['ask'],
): Promise<FailureChoice> {
  if (failures > 0) return new Promise((resolve) => void ask(reason, resolve))
  await new Promise((resolve) => setTimeout(resolve, retryMs))
  return 'retry'
}

type Outcome =
  | { readonly received: ReceivedResponse }
  | { readonly reason: FailureReason; readonly choice?: FailureChoice }

/** One request. Past its time the user is asked; should the response still come, it counts. */
async function sendOnce(
  send: (signal: AbortSignal) => Promise<ReceivedResponse>,
  ask: FailureNotice['ask'],
): Promise<Outcome> {
  const chosen = new AbortController()
  let withdraw = () => {}
  const timeout = setTimeout(() => {
    withdraw = ask('late', (choice) => chosen.abort(choice)).withdraw
  }, callTimeoutMs)
  try {
    return { received: await send(chosen.signal) }
  } catch (error) {
    if (chosen.signal.aborted) return { reason: 'late', choice: chosen.signal.reason }
    if (error instanceof TransportFailure) return { reason: error.reason }
    throw error
  } finally {
    clearTimeout(timeout)
    withdraw()
  }
}

const pauseMs = 50
const longestWaitMs = 300

/**
 * Sends a call once, and reads its response, whatever its status. No layout is said to be mounted:
 * each may show what the action changes.
 * @throws TransportFailure; anything when `signal` aborts
 */
export async function sendCall(request: CallRequest): Promise<ReceivedResponse> {
  const { url, signal } = request
  const { build, changed, body, abort } = await connect(request)
  let isGiven = false
  let isOther = false
  let onChunk = () => {}
  const onOther = () => {
    isOther = true
  }
  const { stream, whole } = verifyStream(
    body,
    () => onChunk(),
    // Until its result is given, all of a response is requested again.
    async (passed) => (isGiven && !isOther ? requestRest(request, passed, onOther) : null),
  )
  const cut = whole.then(() => new Promise<never>(() => {}))
  try {
    const decoded = createFromReadableStream<ActionResponse>(failWhenCut(stream, whole))
    const response = await Promise.race([decoded, cut])
    if (typeof response?.kind !== 'string') throw new TransportFailure('foreign')
    // A result is given to the app once, so it had better be whole; one that streams is known by
    // its pauses, and is not waited for.
    const pause = new Promise<void>((resolve) => {
      const options = { timeoutMs: pauseMs, hardCapMs: longestWaitMs, onTimeout: resolve }
      onChunk = createDeadline(options).progress
    })
    await Promise.race([whole, pause])
    isGiven = true
    const onBytes = (listener: () => void) => {
      onChunk = listener
    }
    return { response, url, build, changed, whole, onBytes }
  } catch (error) {
    abort()
    if (signal.aborted || error instanceof TransportFailure) throw error
    throw new TransportFailure('broken')
  }
}

/** @returns a response of the site whose headers have come; when it falls silent, it is aborted */
async function connect({ id, body, url, from, beside, key, signal, silenceMs }: CallRequest) {
  const broken = new AbortController()
  const abort = () => broken.abort()
  let response: Response
  try {
    response = await fetch(url.pathname + url.search, {
      method: 'POST',
      body,
      headers: {
        ...nonceHeaders(),
        accept: 'text/x-component',
        [actionHeader]: id,
        [idempotencyKeyHeader]: key,
        [navigationFromHeader]: from,
        ...(beside.length > 0 ? { [besideHeader]: beside.join(',') } : {}),
      },
      signal: AbortSignal.any([signal, broken.signal]),
    })
  } catch (error) {
    if (signal.aborted) throw error
    throw new TransportFailure('network')
  }
  const { body: stream, headers } = response
  if (stream && headers.get('content-type')?.startsWith('text/x-component')) {
    const build = headers.get(buildHeader)
    const changed = parseChange(headers.get(changedHeader))
    return { build, changed, abort, body: watchSilence(stream, silenceMs, abort) }
  }
  stream?.cancel().catch(() => {})
  throw new TransportFailure('foreign')
}

// Both may have changed: the header then has two lines.
function parseChange(header: string | null): Change | null {
  if (header === null) return null
  return header.includes('session') ? 'session' : 'data'
}

/** Longer than any result streams: only silence counts. */
const noCapMs = 2 ** 31 - 1

/** A server that is at work sends something each second. */
function watchSilence(body: ReadableStream<Uint8Array>, timeoutMs: number, onTimeout: () => void) {
  const silence = createDeadline({ timeoutMs, hardCapMs: noCapMs, onTimeout })
  const watched = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      silence.progress()
      controller.enqueue(chunk)
    },
    flush: silence.stop,
  })
  return body.pipeThrough(watched)
}

/** For React's decoder: where the stream is cut, what waits for the rest fails. */
function failWhenCut(stream: ReadableStream<Uint8Array>, whole: Promise<void>) {
  const passed = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => void whole.catch(() => controller.error(new ActionError('cut'))),
  })
  return stream.pipeThrough(passed)
}

/**
 * Requests the same response for as long as it is wanted.
 * @param onOther called when it begins with other bytes than the first one
 * @returns what comes after a part of it
 */
async function requestRest(request: CallRequest, passed: VerifiedEnd, onOther: () => void) {
  while (await request.shouldResume()) {
    const timedOut = new AbortController()
    const timeout = setTimeout(() => timedOut.abort(), request.timeoutMs)
    try {
      const { body } = await connect({ ...request, signal: timedOut.signal })
      return body.pipeThrough(skipStart(passed, onOther))
    } catch {
      // It may come the next time.
    } finally {
      clearTimeout(timeout)
    }
  }
  return null
}

/** Leaves out the part of a repeated response that was passed on of the first one. */
function skipStart({ byteCount, checksum }: VerifiedEnd, onOther: () => void) {
  let left = byteCount
  let found = 0
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const known = chunk.subarray(0, left)
      left -= known.length
      found = crc32(known, found)
      if (left > 0) return
      if (found === checksum) return controller.enqueue(chunk.subarray(known.length))
      onOther()
      controller.terminate()
    },
  })
}
