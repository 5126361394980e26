import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type FailureChoice,
  type FailureQuestion,
  type FailureReason,
  type SendWithRetryOptions,
  sendWithRetry,
} from './retry.ts'
import { type ReceivedResponse, TransportFailure } from './sendCall.ts'

// React's own runtime is not under test, and needs a bundler.
vi.mock('@vitejs/plugin-rsc/react/browser', () => ({}))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const received = { response: { kind: 'returned', value: 7 } } as unknown as ReceivedResponse
const failure = () => Promise.reject(new TransportFailure('network'))
const never = () => new Promise<never>(() => {})

/** A call whose requests end as given, and a user who is asked. */
function setup(requests: readonly (() => Promise<ReceivedResponse>)[], resubmit = () => false) {
  const signals: AbortSignal[] = []
  const asked: FailureReason[] = []
  let question: { choose(choice: FailureChoice): void; open: boolean } | null = null
  let again = () => {}
  const ask = (reason: FailureReason): FailureQuestion => {
    asked.push(reason)
    let choose: FailureQuestion['choose'] = () => {}
    const choice = new Promise<FailureChoice>((resolve) => {
      choose = resolve
    })
    const made = { choose, open: true }
    question = made
    const withdraw = () => {
      made.open = false
    }
    return { choice, choose, withdraw }
  }
  const parts: SendWithRetryOptions = {
    send(signal) {
      signals.push(signal)
      return requests[signals.length - 1]?.() ?? never()
    },
    notice: { ask, show() {} },
    timeoutMs: 30_000,
    pauseMs: 400,
    onResubmit(listener) {
      again = listener
    },
    onQuestion() {},
    resubmit,
  }
  return { parts, signals, asked, again: () => again(), question: () => question }
}

test('a response is returned', async () => {
  const { parts, asked } = setup([async () => received])
  expect(await sendWithRetry(parts)).toBe(received)
  expect(asked).toEqual([])
})

test('what fails once is sent again without a question', async () => {
  const { parts, asked, signals } = setup([failure, async () => received])
  const result = sendWithRetry(parts)
  await vi.advanceTimersByTimeAsync(400)
  expect(await result).toBe(received)
  expect(asked).toEqual([])
  expect(signals).toHaveLength(2)
})

test('what fails twice asks the user, who retries or gives up', async () => {
  const { parts, asked, question, signals } = setup([failure, failure, failure])
  const result = sendWithRetry(parts)
  await vi.advanceTimersByTimeAsync(400)
  expect(asked).toEqual(['network'])
  question()?.choose('retry')
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toEqual(['network', 'network'])
  expect(signals).toHaveLength(3)
  question()?.choose('dismiss')
  expect(await result).toBeNull()
})

test('a response after the timeout still counts, and withdraws the question', async () => {
  let arrive = (_: ReceivedResponse) => {}
  const late = new Promise<ReceivedResponse>((resolve) => {
    arrive = resolve
  })
  const { parts, asked, question, signals } = setup([() => late])
  const result = sendWithRetry(parts)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(asked).toEqual(['late'])
  expect(signals[0]?.aborted).toBe(false)
  arrive(received)
  expect(await result).toBe(received)
  expect(question()?.open).toBe(false)
})

test('a retry after the timeout aborts the request before it', async () => {
  const { parts, again, signals } = setup([never, async () => received])
  const result = sendWithRetry(parts)
  await vi.advanceTimersByTimeAsync(30_000)
  again()
  expect(await result).toBe(received)
  expect(signals[0]?.aborted).toBe(true)
})

test('its form may send it again instead', async () => {
  const { parts, question } = setup([failure, failure], () => true)
  const result = sendWithRetry(parts)
  await vi.advanceTimersByTimeAsync(400)
  question()?.choose('retry')
  expect(await result).toBeNull()
})

test('what is no transport failure is thrown', async () => {
  const { parts } = setup([() => Promise.reject(new TypeError('a bug'))])
  await expect(sendWithRetry(parts)).rejects.toThrow('a bug')
})
