import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDeadline } from './deadline.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function deadline() {
  const onLate = vi.fn()
  return { onLate, ...createDeadline({ timeoutMs: 100, hardCapMs: 350, onLate }) }
}

test('silence is late after its time', () => {
  const { onLate } = deadline()
  vi.advanceTimersByTime(99)
  expect(onLate).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onLate).toHaveBeenCalledOnce()
})

test('progress puts it off, until the hard cap', () => {
  const { onLate, progress } = deadline()
  for (let step = 0; step < 6; step++) {
    vi.advanceTimersByTime(50)
    progress()
  }
  expect(onLate).not.toHaveBeenCalled()
  vi.advanceTimersByTime(50)
  expect(onLate).toHaveBeenCalledOnce()
})

test('what comes after it was late puts nothing off; a restart does', () => {
  const { onLate, progress, restart } = deadline()
  vi.advanceTimersByTime(100)
  progress()
  vi.advanceTimersByTime(1000)
  expect(onLate).toHaveBeenCalledOnce()
  restart()
  vi.advanceTimersByTime(100)
  expect(onLate).toHaveBeenCalledTimes(2)
})

test('a stopped one is never late', () => {
  const { onLate, progress, stop } = deadline()
  stop()
  progress()
  vi.advanceTimersByTime(1000)
  expect(onLate).not.toHaveBeenCalled()
})
