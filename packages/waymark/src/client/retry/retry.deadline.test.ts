import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDeadline } from './retry.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function deadline() {
  const onTimeout = vi.fn()
  return { onTimeout, ...createDeadline({ timeoutMs: 100, hardCapMs: 350, onTimeout }) }
}

test('passes after silence', () => {
  const { onTimeout } = deadline()
  vi.advanceTimersByTime(99)
  expect(onTimeout).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onTimeout).toHaveBeenCalledOnce()
})

test('progress extends it until the hard cap', () => {
  const { onTimeout, progress } = deadline()
  for (let step = 0; step < 6; step++) {
    vi.advanceTimersByTime(50)
    progress()
  }
  expect(onTimeout).not.toHaveBeenCalled()
  vi.advanceTimersByTime(50)
  expect(onTimeout).toHaveBeenCalledOnce()
})

test('heartbeats alone extend it to three times the timeout', () => {
  const { onTimeout, progress } = deadline()
  for (let step = 0; step < 5; step++) {
    vi.advanceTimersByTime(50)
    progress(true)
  }
  expect(onTimeout).not.toHaveBeenCalled()
  vi.advanceTimersByTime(50)
  expect(onTimeout).toHaveBeenCalledOnce()
})

test('once it has passed, only a restart starts it again', () => {
  const { onTimeout, progress, restart } = deadline()
  vi.advanceTimersByTime(100)
  progress()
  vi.advanceTimersByTime(1000)
  expect(onTimeout).toHaveBeenCalledOnce()
  restart()
  vi.advanceTimersByTime(100)
  expect(onTimeout).toHaveBeenCalledTimes(2)
})

test('does not pass after it was stopped', () => {
  const { onTimeout, progress, stop } = deadline()
  stop()
  progress()
  vi.advanceTimersByTime(1000)
  expect(onTimeout).not.toHaveBeenCalled()
})
