import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createMemoryDriver } from '../../cache/memoryCacheDriver.ts'
import type { HandlerResponse } from '../../http/response.ts'
import { createBodyQueue } from '../../http/stream.ts'
import { createIdempotency } from './idempotency.ts'
import { bounds, from, request, whole } from './testing/idempotentRequests.ts'

describe('a repeat', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const minute = { ...bounds, ttlMs: 600_000 }

  test.each([
    [500, 60_000],
    [90_000, 90_000],
    [900_000, 600_000],
  ])('of an action with %i ms waits for %i ms, and does not run', async (timeoutMs, waitsMs) => {
    const { once } = createIdempotency({ bounds: minute })
    const run = vi.fn(() => new Promise<HandlerResponse>(() => {}))
    const sent = { ...request, timeoutMs }
    void once(sent, run)
    const outcome = vi.fn()
    void once(sent, run).then(outcome)
    await vi.advanceTimersByTimeAsync(waitsMs - 1)
    expect(outcome).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(outcome).toHaveBeenCalledWith('unfinished')
    expect(run).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('waits for the same time on another replica', async () => {
    const store = createMemoryDriver()
    const one = createIdempotency({ bounds: minute })
    const two = createIdempotency({ bounds: minute })
    for (const each of [one, two]) each.attach(store)
    const run = vi.fn(() => new Promise<HandlerResponse>(() => {}))
    void one.once(request, run)
    const outcome = vi.fn()
    void two.once(request, run).then(outcome)
    await vi.advanceTimersByTimeAsync(61_000)
    expect(outcome).toHaveBeenCalledWith('unfinished')
    expect(run).toHaveBeenCalledOnce()
  })

  test('stops waiting when its client leaves', async () => {
    const store = createMemoryDriver()
    const one = createIdempotency({ bounds: minute })
    const two = createIdempotency({ bounds: minute })
    for (const each of [one, two]) each.attach(store)
    const run = () => new Promise<HandlerResponse>(() => {})
    void one.once(request, run)
    const leaving = new AbortController()
    const outcome = vi.fn()
    void one.once(from({ signal: leaving.signal }), run).then(outcome)
    void two.once(from({ signal: leaving.signal }), run).then(outcome)
    const other = vi.fn()
    void two.once(request, run).then(other)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(outcome).not.toHaveBeenCalled()
    leaving.abort()
    await vi.advanceTimersByTimeAsync(100)
    expect(outcome.mock.calls).toEqual([['unfinished'], ['unfinished']])
    // The action is still running, so a later repeat still waits.
    await vi.advanceTimersByTimeAsync(50_000)
    expect(other).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(11_000)
    expect(other.mock.calls).toEqual([['unfinished']])
  })
})

describe('a response that is still arriving', () => {
  async function* pieces() {
    yield Buffer.from('a')
    await new Promise((resolve) => setTimeout(resolve, 5))
    yield Buffer.from('b')
  }
  const streamed = async (): Promise<HandlerResponse> => ({
    status: 200,
    headers: [],
    body: pieces(),
  })

  test('is stored whole, even if its reader leaves', async () => {
    const { once } = createIdempotency({ bounds })
    const first = (await once(request, streamed)) as HandlerResponse
    const iterator = (first.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    expect(await iterator.next()).toMatchObject({ value: Buffer.from('a') })
    await iterator.return?.()
    expect(await once(request, streamed)).toMatchObject({ body: Buffer.from('ab') })
  })

  describe('and never ends', () => {
    beforeEach(() => void vi.useFakeTimers())
    afterEach(() => void vi.useRealTimers())

    /** Creates a response that sends a heartbeat every second until it is cancelled. */
    function endless() {
      const queue = createBodyQueue()
      const beat = vi.fn(() => queue.push(Buffer.from('.')))
      const timer = setInterval(beat, 1_000)
      const stopHeartbeat = () => clearInterval(timer)
      const left = vi.fn(stopHeartbeat)
      const body = Object.assign(queue.body(left), { stopHeartbeat })
      return { answer: async (): Promise<HandlerResponse> => ({ ...whole(''), body }), beat, left }
    }

    async function leave(answer: unknown): Promise<void> {
      const iterator = ((answer as HandlerResponse).body as AsyncIterable<Uint8Array>)[
        Symbol.asyncIterator
      ]()
      void iterator.next()
      await iterator.return?.()
    }

    const long = { ...bounds, ttlMs: 600_000 }

    test('is cancelled after the time limit of its action', async () => {
      const { once } = createIdempotency({ bounds: long })
      const { answer, beat, left } = endless()
      const sent = { ...request, timeoutMs: 20_000 }
      await leave(await once(sent, answer))
      await vi.advanceTimersByTimeAsync(19_999)
      expect(beat).not.toHaveBeenCalled()
      expect(left).not.toHaveBeenCalled()
      const repeated = once(sent, answer)
      await vi.advanceTimersByTimeAsync(1)
      expect(left).toHaveBeenCalledOnce()
      expect(await repeated).toBe('response-gone')
      expect(vi.getTimerCount()).toBe(0)
    })

    test('is cancelled if there are too many such responses', async () => {
      const { once } = createIdempotency({ bounds: { ...long, maxUnread: 2 } })
      const all = [endless(), endless(), endless(), endless()]
      for (const [at, { answer }] of all.entries()) {
        await leave(await once(from({}, `key-${at}`), answer))
      }
      await vi.advanceTimersByTimeAsync(0)
      expect(all.map(({ left }) => left.mock.calls.length)).toEqual([1, 1, 0, 0])
      expect(await once(from({}, 'key-0'), all[0]?.answer as () => Promise<HandlerResponse>)).toBe(
        'response-gone',
      )
    })

    test('is cancelled if it is larger than the limit', async () => {
      const { once } = createIdempotency({ bounds: long })
      const queue = createBodyQueue()
      const left = vi.fn()
      const streaming = async () => ({ ...whole(''), body: queue.body(left) })
      await leave(await once(request, streaming))
      queue.push(Buffer.alloc(501))
      await vi.advanceTimersByTimeAsync(0)
      expect(left).toHaveBeenCalledOnce()
      expect(await once(request, streaming)).toBe('response-gone')
    })
  })
})
