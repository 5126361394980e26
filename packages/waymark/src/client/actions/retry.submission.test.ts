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

const received = { answer: { kind: 'returned', value: 7 } } as unknown as ReceivedResponse
const failure = () => Promise.reject(new TransportFailure('network'))
const never = () => new Promise<never>(() => {})

/** A submission whose requests end as given, and a person who is asked. */
function setup(requests: readonly (() => Promise<ReceivedResponse>)[], resend = () => false) {
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
    unsent: { ask, tell() {} },
    lateMs: 30_000,
    pauseMs: 400,
    onAgain(listener) {
      again = listener
    },
    onAsked() {},
    resend,
  }
  return { parts, signals, asked, again: () => again(), question: () => question }
}

test('an answer is given on', async () => {
  const { parts, asked } = setup([async () => received])
  expect(await sendWithRetry(parts)).toBe(received)
  expect(asked).toEqual([])
})

test('what fails once is sent again, and nobody is asked', async () => {
  const { parts, asked, signals } = setup([failure, async () => received])
  const result = sendWithRetry(parts)
  await vi.advanceTimersByTimeAsync(400)
  expect(await result).toBe(received)
  expect(asked).toEqual([])
  expect(signals).toHaveLength(2)
})

test('what fails twice asks the person, who has it sent again or gives it up', async () => {
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

test('an answer that is late still counts, and takes the question back', async () => {
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

test('a late one that is sent again ends the request before it', async () => {
  const { parts, again, signals } = setup([never, async () => received])
  const result = sendWithRetry(parts)
  await vi.advanceTimersByTimeAsync(30_000)
  again()
  expect(await result).toBe(received)
  expect(signals[0]?.aborted).toBe(true)
})

test('its form sends it again in its place', async () => {
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
