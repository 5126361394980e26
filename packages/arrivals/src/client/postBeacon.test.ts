import { afterEach, expect, test, vi } from 'vitest'
import { postBeacon } from './postBeacon.ts'

afterEach(() => vi.unstubAllGlobals())

test('the body of a beacon is a string, so that it survives the closing page', async () => {
  const fetch = vi.fn(async () => new Response())
  vi.stubGlobal('fetch', fetch)
  await postBeacon('/b', '{}')
  const headers = { 'content-type': 'application/json' }
  expect(fetch).toHaveBeenCalledWith('/b', { method: 'POST', headers, body: '{}', keepalive: true })
})

test.each([
  [204, true],
  [400, true],
  [429, false],
  [500, false],
])('status %i means that the beacon is not sent again: %s', async (status, isOver) => {
  vi.stubGlobal('fetch', async () => new Response(null, { status }))
  expect(await postBeacon('/b', '{}')).toBe(isOver)
})

test('without a network, it may be sent again', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed')))
  expect(await postBeacon('/b', '{}')).toBe(false)
})
