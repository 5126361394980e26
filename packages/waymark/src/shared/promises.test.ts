import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { timedOut, withDeadline } from './promises.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = new Promise<never>(() => {})

async function resultOf(waiting: Promise<unknown>): Promise<unknown> {
  const pending = Promise.resolve().then(() => Promise.resolve('pending'))
  return Promise.race([waiting, pending])
}

describe('a deadline', () => {
  test('ends a wait after its time', async () => {
    const waiting = withDeadline(never, 1_000)
    vi.advanceTimersByTime(999)
    expect(await resultOf(waiting)).toBe('pending')
    vi.advanceTimersByTime(1)
    expect(await resultOf(waiting)).toBe(timedOut)
  })

  test('ends a wait when the client leaves, or has left before', async () => {
    const client = new AbortController()
    const waiting = withDeadline(never, Number.POSITIVE_INFINITY, client.signal)
    expect(await resultOf(waiting)).toBe('pending')
    client.abort()
    expect(await resultOf(waiting)).toBe(timedOut)
    expect(await resultOf(withDeadline(never, 1_000, client.signal))).toBe(timedOut)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('does not pass at once if it is longer than the longest timer', async () => {
    const waiting = withDeadline(never, 2 ** 40)
    vi.advanceTimersByTime(60_000)
    expect(await resultOf(waiting)).toBe('pending')
  })

  test('clears its timer when the promise settles', async () => {
    expect(await withDeadline(Promise.resolve('there'), 1_000)).toBe('there')
    await expect(withDeadline(Promise.reject(new Error('no')), 1_000)).rejects.toThrow('no')
    expect(vi.getTimerCount()).toBe(0)
  })
})
