import { afterEach, describe, expect, test, vi } from 'vitest'
import { sendErrorBeacon } from './errorReporter.ts'

describe('a beacon', () => {
  afterEach(() => void vi.unstubAllGlobals())
  const beacon = '{}'

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
