import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DocumentNeeded, NoPageData } from './fetchPage.ts'
import { createRetries, isTransient, pause, waitToRetry } from './retries.ts'
import { BrokenPayload } from './verifiedStream.ts'

// React's own runtime is not under test, and needs a bundler.
vi.mock('@vitejs/plugin-rsc/react/browser', () => ({}))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const responseOf = (status: number, headers: Record<string, string> = {}) =>
  new NoPageData('Something else came.', { response: new Response('', { status, headers }) })
const lost = new NoPageData('The connection was lost.', {})

test.each([
  ['a lost connection', lost, true],
  ['data that was cut', new BrokenPayload('cut'), true],
  ['data that was changed', new SyntaxError('Unexpected token'), true],
  ['a gateway without a server', responseOf(502), true],
  ['a server that is busy', responseOf(503), true],
  ['too many requests', responseOf(429), true],
  ['a missing file', responseOf(404), false],
  ['a portal', responseOf(200), false],
  ['redirects that lead nowhere', new NoPageData('A loop.', { isRedirected: true }), false],
  ['a URL without page data', new DocumentNeeded(), false],
])('%s is worth another try: %s', (_, error, isWorth) => {
  expect(isTransient(error)).toBe(isWorth)
})

test('what fails at once is requested eight times in ten seconds, the probe included', () => {
  for (const random of [() => 0, () => 0.999]) {
    const retries = createRetries(Date.now, random)
    let atMs = 0
    let requests = 2
    for (;;) {
      retries.fail(lost)
      atMs += retries.pauseMs()
      if (atMs > 10_000) break
      requests++
    }
    expect(requests).toBeLessThanOrEqual(8)
  }
})

test.each([
  [2000, 1300],
  [5000, 2000],
])('a fault of %i ms is noticed to be over within %i ms', (lastsMs, withinMs) => {
  for (const random of [0, 0.25, 0.5, 0.75, 0.999]) {
    const retries = createRetries(Date.now, () => random)
    let atMs = 0
    while (atMs < lastsMs) {
      retries.fail(lost)
      atMs += retries.pauseMs()
    }
    expect(atMs - lastsMs).toBeLessThanOrEqual(withinMs)
  }
})

test('a server that asks for a longer pause gets it, within bounds', () => {
  const retries = createRetries(Date.now)
  retries.fail(responseOf(503, { 'retry-after': '1' }))
  expect(retries.pauseMs()).toBe(1000)
  retries.fail(responseOf(503, { 'retry-after': '3600' }))
  expect(retries.pauseMs()).toBe(3000)
  retries.fail(responseOf(503, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }))
  expect(retries.pauseMs()).toBeLessThanOrEqual(900)
})

test('what fails is tried again without a word for a second', async () => {
  const retries = createRetries(Date.now, () => 0)
  const { signal } = new AbortController()
  for (const waitMs of [100, 500, 900]) {
    const waiting = waitToRetry(lost, retries, signal)
    await vi.advanceTimersByTimeAsync(waitMs)
    await waiting
  }
  await expect(waitToRetry(lost, retries, signal)).rejects.toBe(lost)
  expect(retries.isQuiet()).toBe(false)
})

test('what fails under a notice is not tried again without a word', async () => {
  const retries = createRetries(Date.now)
  retries.endQuiet()
  await expect(waitToRetry(lost, retries, new AbortController().signal)).rejects.toBe(lost)
})

test('what only a document can help is not tried again', async () => {
  const error = new DocumentNeeded()
  const { signal } = new AbortController()
  await expect(waitToRetry(error, createRetries(Date.now), signal)).rejects.toBe(error)
})

test('a canceled navigation ends in its pause', async () => {
  const leaving = new AbortController()
  const waiting = waitToRetry(lost, createRetries(Date.now), leaving.signal)
  const ended = expect(waiting).rejects.toThrow('aborted')
  leaving.abort()
  await ended
})

test('a pause ends when the browser is online again', async () => {
  const view = new EventTarget()
  vi.stubGlobal('addEventListener', view.addEventListener.bind(view))
  let isOver = false
  void pause(60_000, new AbortController().signal).then(() => {
    isOver = true
  })
  view.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(isOver).toBe(true)
  vi.unstubAllGlobals()
})
