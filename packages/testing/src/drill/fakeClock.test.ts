import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { installFakeClock } from './fakeClock.ts'

const { Date: RealDate, setTimeout, setInterval, clearTimeout, clearInterval } = globalThis
afterEach(() => {
  Object.assign(globalThis, {
    Date: RealDate,
    setTimeout,
    setInterval,
    clearTimeout,
    clearInterval,
  })
})

test('the clock starts at the given time, and can be advanced', () => {
  const clock = installFakeClock(RealDate.UTC(2030, 0, 1))
  expect(new Date().toISOString()).toMatch(/^2030-01-01T00:00/)
  clock.advance(86_400_000)
  expect(new Date().getUTCDate()).toBe(2)
  expect(Date.now() - RealDate.UTC(2030, 0, 2)).toBeLessThan(60_000)
  expect(new Date(5).getTime()).toBe(5)
  expect(new Date()).toBeInstanceOf(Date)
  expect(Date.UTC(1970, 0, 1)).toBe(0)
})

test('due timers run in order, in the async context in which they were set', () => {
  const clock = installFakeClock(null)
  const ran: unknown[] = []
  const context = new AsyncLocalStorage<string>()
  globalThis.setTimeout(() => ran.push('late'), 60_000).unref()
  context.run('of a request', () => {
    globalThis.setTimeout(
      (argument: string) => ran.push(argument, context.getStore()),
      30_000,
      'early',
    )
  })
  const cleared = globalThis.setTimeout(() => ran.push('cleared'), 1_000)
  globalThis.clearTimeout(cleared)
  const every = globalThis.setInterval(() => ran.push('again'), 20_000)
  clock.advance(10_000)
  expect(ran).toEqual([])
  clock.advance(25_000)
  expect(ran).toEqual(['again', 'early', 'of a request'])
  globalThis.clearInterval(every)
  clock.advance(60_000)
  expect(ran.slice(3)).toEqual(['late'])
})

test('a timer also runs without advancing, and only once', async () => {
  const clock = installFakeClock(null)
  let runs = 0
  await new Promise<void>((resolve) => {
    globalThis.setTimeout(() => {
      runs++
      resolve()
    }, 1)
  })
  clock.advance(60_000)
  await sleep(5)
  expect(runs).toBe(1)
})
