import { afterEach, expect, test, vi } from 'vitest'
import { startHeartbeat } from './stream.ts'

afterEach(() => void vi.useRealTimers())

test('a heartbeat is written each second, until it is stopped', () => {
  vi.useFakeTimers()
  const write = vi.fn()
  const stop = startHeartbeat(write)
  vi.advanceTimersByTime(3000)
  stop()
  vi.advanceTimersByTime(3000)
  expect(write).toHaveBeenCalledTimes(3)
})
