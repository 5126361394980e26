import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDeadline } from './retry.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function deadline() {
  const onTimeout = vi.fn()
  return { onTimeout, ...createDeadline({ timeoutMs: 100, hardCapMs: 350, onTimeout }) }
}

test('silence is late after its time', () => {
  const { onTimeout } = deadline()
  vi.advanceTimersByTime(99)
  expect(onTimeout).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onTimeout).toHaveBeenCalledOnce()
})

test('progress puts it off, until the hard cap', () => {
  const { onTimeout, progress } = deadline()
  for (let step = 0; step < 6; step++) {
    vi.advanceTimersByTime(50)
    progress()
  }
  expect(onTimeout).not.toHaveBeenCalled()
  vi.advanceTimersByTime(50)
  expect(onTimeout).toHaveBeenCalledOnce()
})

test('heartbeats alone put it off three times as long', () => {
  const { onTimeout, progress } = deadline()
  for (let step = 0; step < 5; step++) {
    vi.advanceTimersByTime(50)
    progress(true)
  }
  expect(onTimeout).not.toHaveBeenCalled()
  vi.advanceTimersByTime(50)
  expect(onTimeout).toHaveBeenCalledOnce()
})

test('what comes after it was late puts nothing off; a restart does', () => {
  const { onTimeout, progress, restart } = deadline()
  vi.advanceTimersByTime(100)
  progress()
  vi.advanceTimersByTime(1000)
  expect(onTimeout).toHaveBeenCalledOnce()
  restart()
  vi.advanceTimersByTime(100)
  expect(onTimeout).toHaveBeenCalledTimes(2)
})

test('a stopped one is never late', () => {
  const { onTimeout, progress, stop } = deadline()
  stop()
  progress()
  vi.advanceTimersByTime(1000)
  expect(onTimeout).not.toHaveBeenCalled()
})
