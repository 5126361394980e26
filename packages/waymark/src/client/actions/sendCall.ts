import { createFromReadableStream } from '@vitejs/plugin-rsc/react/browser'
import type { ActionResponse } from '../../wire/actionResponse.ts'
import {
  callHeaders,
  changeOf,
  type DataChange,
  type DescribedCall,
} from '../../wire/callHeaders.ts'
import { crc32, type FramePosition } from '../../wire/frames.ts'
import { buildHeader } from '../../wire/protocol.ts'
import { loadHeaders } from '../../wire/trace.ts'
import { nonceHeaders } from '../document/dataRequest.ts'
import { throughPackages } from '../document/payloadStream.ts'
import type { LoadedPage } from '../navigation/fetchPage.ts'
import { verifyStream } from '../navigation/verifiedStream.ts'
import {
  createDeadline,
  createRetries,
  isLastingRefusal,
  type RetryOptions,
  retry,
  retryAfterMsOf,
  retryPolicies,
  waitToRetry,
} from '../retry/retry.ts'
import { ActionError } from './actionError.ts'
import type { CallChoice, CallNotice, CallProblem, CallQuestion } from './callNotice.ts'
import { type CallReply, hasFiles, sendUpload, type UploadProgress } from './sendUpload.ts'

/**
 * A response to a call. `whole` resolves once the response is complete, and rejects if it is cut
 * off.
 */
export type ReceivedResponse = Omit<LoadedPage, 'payload'> & {
  readonly response: ActionResponse
  /** Data that the action has changed; `null` if no page shows that data. */
  readonly changed: DataChange | null
}

export type CallRequest = CallConnection & {
  /** Milliseconds within which a repeated request must get a response. */
  readonly timeoutMs: number
  /** Retry options, for a response that breaks off after its result was returned. */
  readonly resume: RetryOptions
  readonly retry: () => Promise<unknown>
}

/**
 * Milliseconds for which a call may delay the results of other calls, since React shows all results
 * together.
 */
export const callTimeoutMs = 30_000

export type UnansweredOptions = {
  /** Asks the user what to do. If `null`, a call that hangs is abandoned. */
  readonly ask: CallNotice['ask'] | null
  /** True if the app's code awaits the call. The code then gets the error, and no notice is shown. */
  readonly isAwaited: boolean
  /** Milliseconds without a response after which a notice asks the user. */
  readonly silenceMs: number
  /** Called when the call takes so long that other calls should stop waiting for it. */
  readonly onHanging: () => void
  /** Called before a call is abandoned because no attempt got a response. */
  readonly onUnanswered?: (problem: CallProblem) => void
}

/**
 * Sends one request.
 * @param onUpload reports the progress of a body with files, and `null` when it is sent
 */
export type SendRequest = (
  signal: AbortSignal,
  onUpload: (progress: UploadProgress | null) => void,
  cancel: () => void,
) => Promise<ReceivedResponse>

/**
 * Sends a call until it gets a response. Each request has the same idempotency key, so that the server
 * runs the action once.
 * @returns `null` if the call was abandoned
 */
export async function sendWithRetry(
  send: SendRequest,
  options: UnansweredOptions,
): Promise<ReceivedResponse | null> {
  const { ask, isAwaited } = options
  const retries = createRetries(isAwaited ? retryPolicies.awaitedCall : retryPolicies.form)
  const isWorthIt = (error: unknown) => error instanceof TransportFailure
  const onExhausted = (error: unknown) => !isAwaited && ask !== null && askToRetry(error, ask)
  try {
    return await retry(() => sendOnce(send, options), { retries, isWorthIt, onExhausted })
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error
    options.onUnanswered?.(error.problem)
    return null
  }
}

export function askToRetry(error: unknown, ask: CallNotice['ask']): Promise<boolean> {
  const problem = error instanceof TransportFailure ? error.problem : { kind: 'broken' as const }
  return new Promise((resolve) => void ask(problem, (choice) => resolve(choice === 'retry')))
}

/**
 * Sends one request. If the response is late, a notice asks the user what to do, but a response that
 * arrives while the notice is open is still used.
 */
async function sendOnce(
  send: SendRequest,
  options: UnansweredOptions,
): Promise<ReceivedResponse | null> {
  const { ask, silenceMs, onHanging } = options
  const chosen = new AbortController()
  let question = null as CallQuestion | null
  const askAboutDelay = () => {
    const onChoice = (choice: CallChoice) => {
      question = null
      if (choice !== 'wait') chosen.abort(choice)
    }
    if (ask) question ??= ask({ kind: 'late' }, onChoice)
  }
  let delayTimer: ReturnType<typeof setTimeout> | undefined
  let hangingTimer: ReturnType<typeof setTimeout> | undefined
  const startTimers = (delayMs: number) => {
    clearTimeout(delayTimer)
    clearTimeout(hangingTimer)
    delayTimer = setTimeout(askAboutDelay, delayMs)
    hangingTimer = setTimeout(() => {
      if (!ask) chosen.abort()
      onHanging()
      askAboutDelay()
    }, callTimeoutMs)
  }
  // While an upload progresses, neither a notice nor a timer disturbs it.
  const onUpload = (progress: UploadProgress | null) => {
    question?.withdraw()
    question = null
    startTimers(progress ? uploadSilenceMs : silenceMs)
  }
  startTimers(silenceMs)
  try {
    return await send(chosen.signal, onUpload, () => chosen.abort('dismiss'))
  } catch (error) {
    if (!chosen.signal.aborted) throw error
  } finally {
    clearTimeout(delayTimer)
    clearTimeout(hangingTimer)
    question?.withdraw()
  }
  return chosen.signal.reason === 'retry' ? sendOnce(send, options) : null
}

/**
 * Milliseconds without progress of an upload after which a notice asks the user. Browsers report
 * progress only for each piece that they pass on, which takes a few seconds on a slow connection.
 */
const uploadSilenceMs = 15_000

const pauseMs = 50
const longestWaitMs = 300

/** Sends a call once and reads its response, whatever the status. @throws TransportFailure */
export async function sendCall(request: CallRequest): Promise<ReceivedResponse> {
  const { url, signal } = request
  const { build, changed, body, abort } = await connectCall(request)
  let isResolved = false
  let isOther = false
  let onChunk = () => {}
  const onOther = () => {
    isOther = true
  }
  const { stream, whole } = verifyStream(
    body,
    () => onChunk(),
    // Request the rest only after the result was returned. Before that, the caller repeats the
    // whole call.
    async (passed) => (isResolved && !isOther ? requestRest(request, passed, onOther) : null),
  )
  const cut = whole.then(() => new Promise<never>(() => {}))
  try {
    const read = failWhenCut(stream, whole, request.retry)
    const decoded = createFromReadableStream<ActionResponse>(throughPackages(read))
    const response = await Promise.race([decoded, cut])
    if (typeof response?.kind !== 'string') throw new TransportFailure({ kind: 'foreign' })
    // The result can be returned only once, so wait until it is complete. If data stops for a
    // while, the result is a stream, so return it before its end.
    const pause = new Promise<void>((resolve) => {
      const options = { timeoutMs: pauseMs, hardCapMs: longestWaitMs, onTimeout: resolve }
      onChunk = createDeadline(options).progress
    })
    await Promise.race([whole, pause])
    isResolved = true
    const onBytes = (listener: () => void) => {
      onChunk = listener
    }
    return { response, url, build, changed, whole, onBytes }
  } catch (error) {
    abort()
    if (signal.aborted || error instanceof TransportFailure) throw error
    throw new TransportFailure({ kind: 'broken' })
  }
}

/**
 * Makes a stream fail if the response was cut off, so that React rejects the promises whose values
 * haven't arrived.
 */
function failWhenCut(
  stream: ReadableStream<Uint8Array>,
  whole: Promise<void>,
  retry: CallRequest['retry'],
) {
  const passed = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => void whole.catch(() => controller.error(new ActionError('cut', retry))),
  })
  return stream.pipeThrough(passed)
}

async function requestRest(request: CallRequest, passed: FramePosition, onOther: () => void) {
  const connect = async () => {
    const timedOut = new AbortController()
    const timeout = setTimeout(() => timedOut.abort(), request.timeoutMs)
    const connecting = connectCall({ ...request, signal: timedOut.signal })
    const { body } = await connecting.finally(() => clearTimeout(timeout))
    return body.pipeThrough(skipStart(passed, onOther))
  }
  if (!(await waitToRetry(null, request.resume))) return null
  return retry(connect, request.resume).catch(() => null)
}

/** Skips the part of a repeated response that has already arrived with the first response. */
function skipStart({ byteCount, checksum }: FramePosition, onOther: () => void) {
  let left = byteCount
  let actualChecksum = 0
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const repeated = chunk.subarray(0, left)
      left -= repeated.length
      actualChecksum = crc32(repeated, actualChecksum)
      if (left > 0) return
      if (actualChecksum === checksum) return controller.enqueue(chunk.subarray(repeated.length))
      onOther()
      controller.terminate()
    },
  })
}

export type CallConnection = DescribedCall & {
  readonly body: string | FormData
  readonly url: URL
  readonly silenceMs: number
  readonly signal: AbortSignal
  readonly onUpload?: (progress: UploadProgress | null) => void
  /** Called once the body of an upload has left the browser. */
  readonly onAllSent?: () => void
}

export class TransportFailure extends Error {
  override readonly name = 'TransportFailure'
  readonly problem: Exclude<CallProblem, { kind: 'late' }>
  /** Milliseconds that the server asks the browser to wait. */
  readonly retryAfterMs: number

  constructor(problem: TransportFailure['problem'], retryAfterMs = 0) {
    super(`The call to a server action got no response (${problem.kind}).`)
    this.problem = problem
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * Sends a call and waits for the headers of the response. Aborts the response if its data stops
 * arriving.
 */
export async function connectCall(call: CallConnection) {
  const { body, url, signal, silenceMs } = call
  const broken = new AbortController()
  const abort = () => broken.abort()
  const { onUpload = () => {}, onAllSent = () => {} } = call
  const address = url.origin + url.pathname + url.search
  const sent = {
    headers: {
      ...nonceHeaders(),
      ...(import.meta.env.DEV ? loadHeaders() : {}),
      ...callHeaders(call),
    },
    signal: AbortSignal.any([signal, broken.signal]),
  }
  let response: CallReply
  try {
    response = hasFiles(body)
      ? await sendUpload({ ...sent, url: address, body, onProgress: onUpload, onAllSent })
      : await fetch(address, { ...sent, method: 'POST', body })
  } catch (error) {
    if (signal.aborted) throw error
    throw new TransportFailure({ kind: 'network' })
  }
  const { body: stream, headers } = response
  if (stream && headers.get('content-type')?.startsWith('text/x-component')) {
    const build = headers.get(buildHeader)
    const changed = changeOf(response)
    return { build, changed, abort, body: watchSilence(stream, silenceMs, abort) }
  }
  stream?.cancel().catch(() => {})
  const { status } = response
  throw new TransportFailure(
    isLastingRefusal(status) ? { kind: 'refused', status } : { kind: 'foreign' },
    retryAfterMsOf(headers),
  )
}

/**
 * Aborts a response if no data arrives for too long. A server that is still working sends data each
 * second.
 */
function watchSilence(body: ReadableStream<Uint8Array>, timeoutMs: number, onTimeout: () => void) {
  const silence = createDeadline({ timeoutMs, onTimeout })
  const watched = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      silence.progress()
      controller.enqueue(chunk)
    },
    flush: silence.stop,
  })
  return body.pipeThrough(watched)
}
