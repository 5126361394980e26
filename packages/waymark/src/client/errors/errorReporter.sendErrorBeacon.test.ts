import { afterEach, describe, expect, test, vi } from 'vitest'
import { sendErrorBeacon } from './errorReporter.ts'

describe('a beacon', () => {
  afterEach(() => void vi.unstubAllGlobals())
  const beacon = '{}'

  test.each([
    ['is sent by sendBeacon', { sendBeacon: () => true }, 0],
    ['is sent by fetch if sendBeacon refuses', { sendBeacon: () => false }, 1],
    ['is sent by fetch if sendBeacon is missing', {}, 1],
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
