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
    slowdown: 1,
    untilMs: Number.POSITIVE_INFINITY,
    lanes: 1,
    pictures: '/nowhere',
    onResult: ({ pathname }) => reported.push(pathname),
  })
  expect(drilled).toEqual({ results: [], leftOut: 3, hasBrowserEnded: true })
  expect(reported).toEqual([])
})

test("a timeout of the drill's own steps is not reported as a failure of the app", async () => {
  const browser = {
    isConnected: () => true,
    newContext() {
      throw Object.assign(new Error('Timeout 10000ms exceeded.'), { name: 'TimeoutError' })
    },
  } as unknown as Browser
  const { results } = await runDrill({
    origin: 'http://127.0.0.1:1',
    routes: [{ pattern: '/', pathname: '/' }],
    faults: [],
    config: {},
    browser,
    withinMs: 100,
    slowdown: 1,
    untilMs: Number.POSITIVE_INFINITY,
    lanes: 1,
    pictures: '/nowhere',
    onResult() {},
  })
  expect(results).toMatchObject([{ outcome: 'not measured', isOk: true }])
})
