import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inTime } from './inTime.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a result in time is passed on and leaves no timer', async () => {
  expect(await inTime(Promise.resolve(1), 1000)).toBe(1)
  await expect(inTime(Promise.reject(new Error('No.')), 1000)).rejects.toThrow('No.')
  expect(vi.getTimerCount()).toBe(0)
})

test('a promise that hangs rejects at the limit', async () => {
  const onReject = vi.fn()
  inTime(new Promise(() => {}), 1000).catch(onReject)
  await vi.advanceTimersByTimeAsync(999)
  expect(onReject).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(onReject).toHaveBeenCalledOnce()
})
