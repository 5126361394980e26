import { expect, test } from 'vitest'
import { inOrder } from './inOrder.ts'

/** Creates calls that take some time and record the order in which they start and end. */
function recorder() {
  const log: string[] = []
  const call = (name: string, ms: number) => async () => {
    log.push(`${name} begins`)
    await new Promise((resolve) => setTimeout(resolve, ms))
    log.push(`${name} ends`)
    return name
  }
  return { log, call }
}

test('calls with the same key run one after another, in order', async () => {
  const { log, call } = recorder()
  const results = [inOrder('k', call('one', 20)), inOrder('k', call('two', 1))]
  expect(await Promise.all(results)).toEqual(['one', 'two'])
  expect(log).toEqual(['one begins', 'one ends', 'two begins', 'two ends'])
})

test('calls with different keys do not wait for each other', async () => {
  const { log, call } = recorder()
  await Promise.all([inOrder('k', call('one', 20)), inOrder('other', call('two', 1))])
  expect(log).toEqual(['one begins', 'two begins', 'two ends', 'one ends'])
})

test('the next call runs after one that rejects or throws', async () => {
  const failing = inOrder('k', () => Promise.reject(new Error('no')))
  const throwing = inOrder('k', () => {
    throw new Error('at once')
  })
  const next = inOrder('k', () => 'next')
  await expect(failing).rejects.toThrow('no')
  await expect(throwing).rejects.toThrow('at once')
  expect(await next).toBe('next')
})
