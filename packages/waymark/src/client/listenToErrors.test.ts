import { afterEach, describe, expect, test, vi } from 'vitest'
import { listenToErrors, sendErrorBeacon } from './listenToErrors.ts'

function listen() {
  const target = new EventTarget()
  const report = vi.fn(() => null)
  const stop = listenToErrors({ report, visited() {}, builtBy() {} }, target)
  const dispatch = (type: string, properties: object) =>
    target.dispatchEvent(Object.assign(new Event(type), properties))
  return { report, stop, dispatch }
}

describe('what nobody caught', () => {
  test('is reported: an error', () => {
    const { report, dispatch } = listen()
    const error = new Error('broken')
    dispatch('error', { error, message: 'broken', filename: 'https://x/a.js' })
    expect(report).toHaveBeenCalledExactlyOnceWith(error, { source: 'error' })
  })

  test('is reported: an error that came as words only', () => {
    const { report, dispatch } = listen()
    dispatch('error', {
      error: null,
      message: 'broken',
      filename: 'https://x/a.js',
      lineno: 1,
      colno: 2,
    })
    const thrown = { name: 'Error', message: 'broken', stack: '@https://x/a.js:1:2' }
    expect(report).toHaveBeenCalledExactlyOnceWith(thrown, { source: 'error' })
  })

  test('is reported: a rejected promise', () => {
    const { report, dispatch } = listen()
    dispatch('unhandledrejection', { reason: 'broken' })
    expect(report).toHaveBeenCalledExactlyOnceWith('broken', { source: 'unhandledrejection' })
  })

  test.each([
    { message: 'Script error.', filename: '', error: null },
    { message: 'ResizeObserver loop completed with undelivered notifications.', error: null },
  ])('is left out when it tells nothing: %j', (properties) => {
    const { report, dispatch } = listen()
    dispatch('error', properties)
    expect(report).not.toHaveBeenCalled()
  })

  test('is left alone after the end', () => {
    const { report, stop, dispatch } = listen()
    stop()
    dispatch('error', { error: new Error('broken'), message: 'broken' })
    dispatch('unhandledrejection', { reason: 'broken' })
    expect(report).not.toHaveBeenCalled()
  })
})

describe('a beacon', () => {
  afterEach(() => void vi.unstubAllGlobals())
  const beacon = new Blob(['{}'])

  test.each([
    ['goes by beacon', { sendBeacon: () => true }, 0],
    ['goes by fetch when the beacon is refused', { sendBeacon: () => false }, 1],
    ['goes by fetch when there is no beacon', {}, 1],
  ])('%s', (_, navigator, fetches) => {
    const fetch = vi.fn(async () => {
      throw new TypeError('offline')
    })
    vi.stubGlobal('navigator', navigator)
    vi.stubGlobal('fetch', fetch)
    sendErrorBeacon(beacon)
    expect(fetch).toHaveBeenCalledTimes(fetches)
  })
})
