import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DocumentNeeded, isTransient, NoPageData } from '../navigation/fetchPage.ts'
import { BrokenPayload } from '../navigation/verifiedStream.ts'
import { createRetries, pause, retry, retryPolicies } from './retry.ts'

// React's runtime isn't under test, and it needs a bundler.
vi.mock('@vitejs/plugin-rsc/react/browser', () => ({}))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const responseOf = (status: number, headers: Record<string, string> = {}) =>
  new NoPageData('Another response.', { response: new Response('', { status, headers }) })
const lost = new NoPageData('The connection was lost.', {})

test.each([
  ['a lost connection', lost, true],
  ['data that was cut off', new BrokenPayload('cut'), true],
  ['data that was changed', new SyntaxError('Unexpected token'), true],
  ['a gateway without a server', responseOf(502), true],
  ['a busy server', responseOf(503), true],
  ['too many requests', responseOf(429), true],
  ['a missing file', responseOf(404), false],
  ['a portal', responseOf(200), false],
  ['a redirect loop', new NoPageData('A loop.', { isRedirected: true }), false],
  ['a URL without page data', new DocumentNeeded(), false],
])('%s is worth another try: %s', (_, error, isWorth) => {
  expect(isTransient(error)).toBe(isWorth)
})

test('a request that keeps failing is sent at most eight times in ten seconds, including the probe', () => {
  for (const random of [() => 0, () => 0.999]) {
    const retries = createRetries(retryPolicies.page, Date.now, random)
    let atMs = 0
    let requests = 2
    for (;;) {
      retries.fail(lost)
      atMs += retries.pauseMs() ?? Number.NaN
      if (atMs > 10_000) break
      requests++
    }
    expect(requests).toBeLessThanOrEqual(8)
  }
})

test.each([
  [2000, 1300],
  [5000, 2000],
])('after a fault of %i ms, the next attempt comes within %i ms', (lastsMs, withinMs) => {
  for (const random of [0, 0.25, 0.5, 0.75, 0.999]) {
    const retries = createRetries(retryPolicies.page, Date.now, () => random)
    let atMs = 0
    while (atMs < lastsMs) {
      retries.fail(lost)
      atMs += retries.pauseMs() ?? Number.NaN
    }
    expect(atMs - lastsMs).toBeLessThanOrEqual(withinMs)
  }
})

test('a server can request a longer pause, within limits', () => {
  const retries = createRetries(retryPolicies.page)
  retries.fail(responseOf(503, { 'retry-after': '1' }))
  expect(retries.pauseMs()).toBe(1000)
  retries.fail(responseOf(503, { 'retry-after': '3600' }))
  expect(retries.pauseMs()).toBe(3000)
  retries.fail(responseOf(503, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }))
  expect(retries.pauseMs()).toBeLessThanOrEqual(900)
})

const failing = () => vi.fn(async (_failures: number) => Promise.reject(lost))
const quiet = (retries: ReturnType<typeof createRetries>) => ({
  retries,
  isWorthIt: (error: unknown) => isTransient(error) && retries.isQuiet(),
})

test('a page that fails is requested again for a second before a notice is shown', async () => {
  const attempt = failing()
  const retries = createRetries(retryPolicies.page, Date.now, () => 0)
  const ended = expect(retry(attempt, quiet(retries))).rejects.toBe(lost)
  await vi.advanceTimersByTimeAsync(100 + 500 + 900)
  await ended
  expect(attempt.mock.calls).toEqual([[0], [1], [2], [3]])
  expect(retries.isQuiet()).toBe(false)
})

test('once a notice is shown, a failure is not retried silently', async () => {
  const retries = createRetries(retryPolicies.page)
  retries.endQuiet()
  await expect(retry(failing(), quiet(retries))).rejects.toBe(lost)
})

test('a failure that another attempt cannot fix is not retried', async () => {
  const error = new DocumentNeeded()
  const retries = createRetries(retryPolicies.page)
  await expect(retry(() => Promise.reject(error), quiet(retries))).rejects.toBe(error)
})

test.each([
  ['chunk', 3, 750],
  ['form', 2, 400],
  ['awaitedCall', 4, 2600],
  ['actionsCode', 1, 0],
] as const)('%s: %i attempts within %i ms, then the error', async (policy, attempts, withinMs) => {
  const attempt = failing()
  const ended = expect(
    retry(attempt, { retries: createRetries(retryPolicies[policy]) }),
  ).rejects.toBe(lost)
  await vi.advanceTimersByTimeAsync(withinMs)
  await ended
  expect(attempt).toHaveBeenCalledTimes(attempts)
})

test('when no attempt is left, onExhausted may ask for another one', async () => {
  const attempt = failing()
    .mockRejectedValueOnce(lost)
    .mockResolvedValueOnce(7 as never)
  const onExhausted = vi.fn(async () => true)
  const retries = createRetries(retryPolicies.actionsCode)
  expect(await retry(attempt, { retries, onExhausted })).toBe(7)
  expect(onExhausted).toHaveBeenCalledExactlyOnceWith(lost)
})

test('canceling a navigation ends the pause between attempts', async () => {
  const leaving = new AbortController()
  const options = { retries: createRetries(retryPolicies.page), signal: leaving.signal }
  const ended = expect(retry(failing(), options)).rejects.toThrow('aborted')
  await vi.advanceTimersByTimeAsync(10)
  leaving.abort()
  await ended
})

test('a pause ends when the browser is online again', async () => {
  const view = new EventTarget()
  vi.stubGlobal('addEventListener', view.addEventListener.bind(view))
  let isOver = false
  void pause(60_000).then(() => {
    isOver = true
  })
  view.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(isOver).toBe(true)
  vi.unstubAllGlobals()
})
