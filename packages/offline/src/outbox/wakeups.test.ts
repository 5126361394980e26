import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { firstPauseMs, longestPauseMs } from './limits.ts'
import { createWakeups, requestSync } from './wakeups.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('while something is left, it tries again after longer and longer pauses', async () => {
  const send = vi.fn(async () => false)
  createWakeups(send).now()
  for (let pauseMs = firstPauseMs, times = 1; times < 8; times++) {
    await vi.advanceTimersByTimeAsync(pauseMs - 1)
    expect(send).toHaveBeenCalledTimes(times)
    await vi.advanceTimersByTimeAsync(1)
    expect(send).toHaveBeenCalledTimes(times + 1)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
})

test('it stops when nothing is left, and failing storage counts as something left', async () => {
  const send = vi.fn(async () => true)
  const wakeups = createWakeups(send)
  wakeups.now()
  await vi.advanceTimersByTimeAsync(longestPauseMs)
  expect(send).toHaveBeenCalledOnce()
  send.mockRejectedValueOnce(new Error('QuotaExceededError'))
  wakeups.now()
  await vi.advanceTimersByTimeAsync(firstPauseMs)
  expect(send).toHaveBeenCalledTimes(3)
})

test('a request during sending runs afterwards, never at the same time', async () => {
  let running = 0
  const send = vi.fn(async () => {
    expect(++running).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 100))
    running--
    return true
  })
  const wakeups = createWakeups(send)
  wakeups.now()
  wakeups.now()
  wakeups.restart()
  await vi.advanceTimersByTimeAsync(1000)
  expect(send).toHaveBeenCalledTimes(2)
})

test('tabs send one after another', async () => {
  const request = vi.fn((_name: string, run: () => Promise<boolean>) => run())
  vi.stubGlobal('navigator', { locks: { request } })
  createWakeups(async () => true).now()
  await vi.advanceTimersByTimeAsync(0)
  expect(request.mock.calls[0]?.[0]).toBe('waymark-outbox')
})

test('Background Sync is requested if our worker is installed, and nothing fails without it', async () => {
  const register = vi.fn(async () => Promise.reject(new DOMException('', 'NotAllowedError')))
  const containerOf = (registration: object | undefined) =>
    ({ getRegistration: async () => registration }) as unknown as ServiceWorkerContainer
  const active = { scriptURL: 'https://a.example/_waymark/offline.js' }
  await requestSync(undefined)
  await requestSync(containerOf(undefined))
  await requestSync(containerOf({ active }))
  await requestSync(
    containerOf({ active: { scriptURL: 'https://a.example/own.js' }, sync: { register } }),
  )
  // This worker belongs to a different app, at another base path of the origin.
  const ofOther = { scriptURL: 'https://a.example/docs/_waymark/offline.js' }
  await requestSync(containerOf({ active: ofOther, sync: { register } }))
  expect(register).not.toHaveBeenCalled()
  await requestSync(containerOf({ active, sync: { register } }))
  expect(register).toHaveBeenCalledExactlyOnceWith('waymark-outbox')
})
