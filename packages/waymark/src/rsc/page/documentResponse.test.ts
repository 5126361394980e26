import { expect, test, vi } from 'vitest'
import { createBodyQueue } from '../../http/stream.ts'
import { untilClientLeft } from './documentResponse.ts'

// Mock React's runtime, because it needs a bundler and isn't under test.
vi.mock('@vitejs/plugin-rsc/rsc.node', () => ({}))

function setUp() {
  const onLeave = vi.fn()
  const stop = vi.fn()
  const queue = createBodyQueue()
  const body = untilClientLeft(queue.body(stop), onLeave)
  return { onLeave, stop, queue, body }
}

test('notices a reader that leaves before the first piece', async () => {
  const { body, onLeave, stop } = setUp()
  await body[Symbol.asyncIterator]().return?.()
  expect(onLeave).toHaveBeenCalledOnce()
  expect(stop).toHaveBeenCalledOnce()
})

test('notices a reader that leaves while it waits, at once', async () => {
  const { body, onLeave, stop } = setUp()
  const iterator = body[Symbol.asyncIterator]()
  const waiting = iterator.next()
  void iterator.return?.()
  expect(onLeave).toHaveBeenCalledOnce()
  expect(stop).toHaveBeenCalledOnce()
  expect((await waiting).done).toBe(true)
})

test('calls back for a body that breaks off, and passes its error on', async () => {
  const { body, queue, onLeave } = setUp()
  queue.fail(new Error('broken'))
  await expect(body[Symbol.asyncIterator]().next()).rejects.toThrow('broken')
  expect(onLeave).toHaveBeenCalledOnce()
})

test('does not call back for a body that was read to its end', async () => {
  const { body, queue, onLeave } = setUp()
  queue.push(Buffer.from('all'))
  queue.end()
  let text = ''
  for await (const piece of body) text += Buffer.from(piece)
  expect(text).toBe('all')
  expect(onLeave).not.toHaveBeenCalled()
})
