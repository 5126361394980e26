import type { Browser } from 'playwright-core'
import { expect, test } from 'vitest'
import { isTooBusy, slowdownOf } from './machineSpeed.ts'

test.each([
  [0, 1],
  [300, 1],
  [600, 2],
  [1_000, 3.3],
  [60_000, 10],
  [Number.POSITIVE_INFINITY, 10],
])('a small page in %i ms means a slowdown of %i', (ms, slowdown) => {
  expect(slowdownOf(ms)).toBe(slowdown)
})

test('a machine is too busy if it takes twice as long as at the start', async () => {
  const browserThatTakes = (ms: number) => {
    const page = { goto: () => new Promise((resolve) => setTimeout(resolve, ms)), evaluate() {} }
    const context = { newPage: async () => page, close: async () => {} }
    return { newContext: async () => context } as unknown as Browser
  }
  expect(await isTooBusy(browserThatTakes(0), 1)).toBe(false)
  expect(await isTooBusy(browserThatTakes(700), 1)).toBe(true)
  expect(await isTooBusy(browserThatTakes(700), 2)).toBe(false)
})
