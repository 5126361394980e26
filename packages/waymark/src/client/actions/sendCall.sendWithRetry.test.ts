import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CallNotice, CallProblem, CallQuestion } from './callNotice.ts'
import { type ReceivedResponse, sendWithRetry, TransportFailure } from './sendCall.ts'

// React's own runtime is not under test, and needs a bundler.
vi.mock('@vitejs/plugin-rsc/react/browser', () => ({}))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const received = { response: { kind: 'returned', value: 7 } } as unknown as ReceivedResponse
const failure = () => Promise.reject(new TransportFailure({ kind: 'network' }))
/** As `fetch` does. */
const hanging = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })

/** A call whose requests end as given, and a user who is asked. */
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

test('what fails once is sent again without a question', async () => {
  const { result, reasons, signals } = setup([failure, async () => received])
  await vi.advanceTimersByTimeAsync(400)
  expect(await result).toBe(received)
  expect(reasons).toEqual([])
  expect(signals).toHaveLength(2)
})

test('what fails twice asks the user, who retries or gives up', async () => {
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

test('a response after the silence still counts, and withdraws the question', async () => {
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

test('who waits on is asked again when nothing shall wait for it any more', async () => {
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

test('a call that code awaits is sent four times, and nobody is asked', async () => {
  const { result, reasons, signals } = setup([failure, failure, failure, failure], true)
  await vi.advanceTimersByTimeAsync(2600)
  expect(await result).toBeNull()
  expect(reasons).toEqual([])
  expect(signals).toHaveLength(4)
})

test('a retry after the silence aborts the request before it', async () => {
  const { result, question, signals } = setup([hanging, async () => received])
  await vi.advanceTimersByTimeAsync(3000)
  question()?.choose('retry')
  expect(await result).toBe(received)
  expect(signals[0]?.aborted).toBe(true)
})

test('who gives up after the silence gets no response', async () => {
  const { result, question, signals } = setup([hanging])
  await vi.advanceTimersByTimeAsync(3000)
  question()?.choose('dismiss')
  expect(await result).toBeNull()
  expect(signals[0]?.aborted).toBe(true)
})

test('what is no transport failure is thrown', async () => {
  const { result } = setup([() => Promise.reject(new TypeError('a bug'))])
  await expect(result).rejects.toThrow('a bug')
})
