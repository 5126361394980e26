import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createRequestSlots } from './requestSlots.ts'

const response = () => new EventEmitter() as ServerResponse

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the slots of requests', () => {
  const twoSlots = () => createRequestSlots({ max: 2, graceMs: 1_000, now: Date.now })

  test('are given back by handlers that are done', () => {
    const slots = twoSlots()
    const ends = [slots.take(response()), slots.take(response())]
    expect([slots.isFull(), slots.counts().runningRequests]).toEqual([true, 2])
    for (const end of ends) end()
    expect([slots.isFull(), slots.counts().runningRequests]).toEqual([false, 0])
  })

  test('are given back after a grace when the response closed, whatever the handler does', () => {
    const slots = twoSlots()
    const closed = response()
    const end = slots.take(closed)
    slots.take(response())
    closed.emit('close')
    vi.advanceTimersByTime(999)
    expect(slots.counts()).toEqual({ runningRequests: 2, abandonedRequests: 0 })
    vi.advanceTimersByTime(1)
    expect(slots.counts()).toEqual({ runningRequests: 1, abandonedRequests: 1 })
    end()
    expect(slots.counts()).toEqual({ runningRequests: 1, abandonedRequests: 0 })
  })

  test('are given back once', () => {
    const slots = twoSlots()
    const closed = response()
    const end = slots.take(closed)
    closed.emit('close')
    end()
    vi.advanceTimersByTime(10_000)
    expect(slots.counts()).toEqual({ runningRequests: 0, abandonedRequests: 0 })
    const other = response()
    slots.take(other)()
    other.emit('close')
    vi.advanceTimersByTime(10_000)
    expect(slots.counts()).toEqual({ runningRequests: 0, abandonedRequests: 0 })
  })

  test('tell for how long none has been free', () => {
    const slots = twoSlots()
    slots.take(response())
    vi.advanceTimersByTime(5_000)
    expect(slots.fullForMs()).toBe(0)
    const end = slots.take(response())
    vi.advanceTimersByTime(5_000)
    expect(slots.fullForMs()).toBe(5_000)
    end()
    expect(slots.fullForMs()).toBe(0)
    slots.take(response())
    expect(slots.fullForMs()).toBe(0)
  })
})
