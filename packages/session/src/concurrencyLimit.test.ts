import { expect, test } from 'vitest'
import { createConcurrencyLimit } from './concurrencyLimit.ts'

function deferred() {
  let settle = { resolve: () => {}, reject: (_: Error) => {} }
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, ...settle }
}

test('two run, two wait, and the next one is refused at once', async () => {
  const limit = createConcurrencyLimit({ running: 2, waiting: 2 })
  const ends = [deferred(), deferred(), deferred(), deferred()]
  const begun: number[] = []
  const runs = ends.map(({ promise }, index) =>
    limit(async () => {
      begun.push(index)
      await promise
      return index
    }),
  )
  expect(await limit(async () => 'too many')).toBe(null)
  expect(begun).toEqual([0, 1])
  ends[1]?.resolve()
  expect(await runs[1]).toBe(1)
  await expect.poll(() => begun).toEqual([0, 1, 2])
  for (const { resolve } of ends) resolve()
  expect(await Promise.all(runs)).toEqual([0, 1, 2, 3])
  expect(await limit(async () => 'free again')).toBe('free again')
})

test('a failed run makes room for the next one', async () => {
  const limit = createConcurrencyLimit({ running: 1, waiting: 1 })
  const fails = limit(async () => {
    throw new Error('no')
  })
  const next = limit(async () => 'yes')
  await expect(fails).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

test.each([
  { running: 0, waiting: 10 },
  { running: Number.NaN, waiting: 10 },
  { running: 2, waiting: -1 },
])('options must be whole numbers: %j', (options) => {
  expect(() => createConcurrencyLimit(options)).toThrow(/Pass a whole number/)
})
