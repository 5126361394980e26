import type { Browser } from 'playwright-core'
import { expect, test } from 'vitest'
import { runDrill } from './runDrill.ts'

test('a browser that ends is not reported as a failure of the app', async () => {
  let isConnected = true
  const browser = {
    isConnected: () => isConnected,
    newContext() {
      isConnected = false
      throw new Error('Target page, context or browser has been closed')
    },
  } as unknown as Browser
  const reported: string[] = []
  const drilled = await runDrill({
    origin: 'http://127.0.0.1:1',
    routes: ['/', '/oak', '/elm'].map((pathname) => ({ pattern: pathname, pathname })),
    faults: [],
    config: {},
    browser,
    withinMs: 100,
    untilMs: Number.POSITIVE_INFINITY,
    lanes: 1,
    pictures: '/nowhere',
    onResult: ({ pathname }) => reported.push(pathname),
  })
  expect(drilled).toEqual({ results: [], leftOut: 3, hasBrowserEnded: true })
  expect(reported).toEqual([])
})
