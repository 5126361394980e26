import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTimeLimit, type TimeLimit } from './pageRun.ts'

// React's own runtime is not under test, and needs a bundler.
vi.mock('@vitejs/plugin-rsc/rsc.node', () => ({}))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function isOver({ over }: TimeLimit): Promise<boolean> {
  return Promise.race([over.then(() => true), Promise.resolve().then(() => Promise.resolve(false))])
}

describe('a time limit', () => {
  const { signal: nobody } = new AbortController()

  test('is over after its time', async () => {
    const limit = createTimeLimit(1_000, nobody)
    vi.advanceTimersByTime(999)
    expect(await isOver(limit)).toBe(false)
    vi.advanceTimersByTime(1)
    expect(await isOver(limit)).toBe(true)
  })

  test('is over when the client leaves, or has left', async () => {
    const client = new AbortController()
    const limit = createTimeLimit(Number.POSITIVE_INFINITY, client.signal)
    expect(await isOver(limit)).toBe(false)
    client.abort()
    expect(await isOver(limit)).toBe(true)
    expect(await isOver(createTimeLimit(1_000, client.signal))).toBe(true)
  })

  test('is not over at once where it is longer than a timer can be', async () => {
    const limit = createTimeLimit(2 ** 40, nobody)
    vi.advanceTimersByTime(60_000)
    expect(await isOver(limit)).toBe(false)
    limit.clear()
    expect(vi.getTimerCount()).toBe(0)
  })
})
