import { expect, test } from 'vitest'
import { inOrder } from './inOrder.ts'

/** A call that takes some time, and logs when it runs. */
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

test('calls of one key run one after another, in the order in which they are made', async () => {
  const { log, call } = recorder()
  const results = [inOrder('k', call('one', 20)), inOrder('k', call('two', 1))]
  expect(await Promise.all(results)).toEqual(['one', 'two'])
  expect(log).toEqual(['one begins', 'one ends', 'two begins', 'two ends'])
})

test('calls of another key do not wait', async () => {
  const { log, call } = recorder()
  await Promise.all([inOrder('k', call('one', 20)), inOrder('other', call('two', 1))])
  expect(log).toEqual(['one begins', 'two begins', 'two ends', 'one ends'])
})

test('a call that fails, or throws, holds up none of the others', async () => {
  const failing = inOrder('k', () => Promise.reject(new Error('no')))
  const throwing = inOrder('k', () => {
    throw new Error('at once')
  })
  const next = inOrder('k', () => 'next')
  await expect(failing).rejects.toThrow('no')
  await expect(throwing).rejects.toThrow('at once')
  expect(await next).toBe('next')
})
