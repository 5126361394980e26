import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CallNotice, CallProblem, CallQuestion } from './callNotice.ts'
import {
  type ReceivedResponse,
  type SendRequest,
  sendWithRetry,
  TransportFailure,
} from './sendCall.ts'

// React's runtime isn't under test, and it needs a bundler.
vi.mock('@vitejs/plugin-rsc/react/browser', () => ({}))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const received = { response: { kind: 'returned', value: 7 } } as unknown as ReceivedResponse
const failure = () => Promise.reject(new TransportFailure({ kind: 'network' }))
/** Never responds, but rejects when the request is aborted, as `fetch` does. */
const hanging = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })

/**
 * Sends a call. `requests` contains the results of the call's attempts, and `question` is the open
 * question to the user.
 */
function setup(
  requests: readonly ((signal: AbortSignal) => Promise<ReceivedResponse>)[],
  isAwaited = false,
) {
  const onHanging = vi.fn()
  const signals: AbortSignal[] = []
  const reasons: CallProblem['kind'][] = []
  let question: CallQuestion | null = null
  const ask: CallNotice['ask'] = ({ kind: reason }, onChoice) => {
    reasons.push(reason)
    question = {
      choose: onChoice,
      withdraw() {
        question = null
      },
    }
    return question
  }
  const send = (signal: AbortSignal) => {
    signals.push(signal)
    return (requests[signals.length - 1] ?? hanging)(signal)
  }
  const result = sendWithRetry(send, { ask, isAwaited, silenceMs: 3000, onHanging })
  return { result, onHanging, signals, reasons, question: () => question as CallQuestion | null }
}

test('a response is returned', async () => {
  const { result, reasons } = setup([async () => received])
  expect(await result).toBe(received)
  expect(reasons).toEqual([])
})

test('a call that fails once is sent again without a question', async () => {
  const { result, reasons, signals } = setup([failure, async () => received])
  await vi.advanceTimersByTimeAsync(400)
  expect(await result).toBe(received)
  expect(reasons).toEqual([])
  expect(signals).toHaveLength(2)
})

test('a call that an overloaded server refused is sent again when the server asks for it', async () => {
  const busy = () => Promise.reject(new TransportFailure({ kind: 'foreign' }, 2_000))
  const { result, signals, reasons } = setup([busy, async () => received])
  await vi.advanceTimersByTimeAsync(1_900)
  expect(signals).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(100)
  expect(await result).toBe(received)
  expect(reasons).toEqual([])
})

test('after two failures, the user chooses to retry or give up', async () => {
  const { result, reasons, question, signals } = setup([failure, failure, failure])
  await vi.advanceTimersByTimeAsync(400)
  expect(reasons).toEqual(['network'])
  question()?.choose('retry')
  await vi.advanceTimersByTimeAsync(0)
  expect(reasons).toEqual(['network', 'network'])
  expect(signals).toHaveLength(3)
  question()?.choose('dismiss')
  expect(await result).toBeNull()
})

test('a late response still counts and withdraws the question', async () => {
  let arrive = (_: ReceivedResponse) => {}
  const response = new Promise<ReceivedResponse>((resolve) => {
    arrive = resolve
  })
  const { result, reasons, question, signals, onHanging } = setup([() => response])
  await vi.advanceTimersByTimeAsync(3000)
  expect(reasons).toEqual(['late'])
  expect(signals[0]?.aborted).toBe(false)
  arrive(received)
  expect(await result).toBe(received)
  expect(question()).toBeNull()
  expect(onHanging).not.toHaveBeenCalled()
})

test('a user who chose to wait is asked again after 30 seconds', async () => {
  const { reasons, question, signals, onHanging } = setup([hanging])
  await vi.advanceTimersByTimeAsync(3000)
  question()?.choose('wait')
  await vi.advanceTimersByTimeAsync(26_000)
  expect(reasons).toEqual(['late'])
  await vi.advanceTimersByTimeAsync(1000)
  expect(reasons).toEqual(['late', 'late'])
  expect(onHanging).toHaveBeenCalledOnce()
  expect(signals[0]?.aborted).toBe(false)
})

test('a call that code awaits is sent four times without a question', async () => {
  const { result, reasons, signals } = setup([failure, failure, failure, failure], true)
  await vi.advanceTimersByTimeAsync(2600)
  expect(await result).toBeNull()
  expect(reasons).toEqual([])
  expect(signals).toHaveLength(4)
})

test('a retry aborts the late request', async () => {
  const { result, question, signals } = setup([hanging, async () => received])
  await vi.advanceTimersByTimeAsync(3000)
  question()?.choose('retry')
  expect(await result).toBe(received)
  expect(signals[0]?.aborted).toBe(true)
})

test('giving up aborts the late request', async () => {
  const { result, question, signals } = setup([hanging])
  await vi.advanceTimersByTimeAsync(3000)
  question()?.choose('dismiss')
  expect(await result).toBeNull()
  expect(signals[0]?.aborted).toBe(true)
})

test('other errors than transport failures are thrown', async () => {
  const { result } = setup([() => Promise.reject(new TypeError('a bug'))])
  await expect(result).rejects.toThrow('a bug')
})

test('an upload that progresses is neither asked about nor cut, and one that stops is asked about', async () => {
  let progress = () => {}
  const onHanging = vi.fn()
  const reasons: string[] = []
  const ask: CallNotice['ask'] = ({ kind }) => {
    reasons.push(kind)
    return { choose() {}, withdraw: () => reasons.push('withdrawn') }
  }
  const send: SendRequest = (signal, onUpload) => {
    progress = () => onUpload({ sentBytes: 1, totalBytes: 2 })
    return hanging(signal)
  }
  void sendWithRetry(send, { ask, isAwaited: false, silenceMs: 3000, onHanging })
  for (let seconds = 0; seconds < 120; seconds += 10) {
    progress()
    await vi.advanceTimersByTimeAsync(10_000)
  }
  expect(reasons).toEqual([])
  expect(onHanging).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(reasons).toEqual(['late'])
  progress()
  expect(reasons).toEqual(['late', 'withdrawn'])
  await vi.advanceTimersByTimeAsync(30_000)
  expect(onHanging).toHaveBeenCalled()
})
