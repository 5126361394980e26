import { expect, test, vi } from 'vitest'
import { createBodyQueue } from './stream.ts'

const bytes = (text: string) => Buffer.from(text)

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = ''
  for await (const piece of body) text += Buffer.from(piece).toString()
  return text
}

test('chunks are read in order, and joined while nobody reads', async () => {
  const queue = createBodyQueue()
  const body = queue.body(() => {})[Symbol.asyncIterator]()
  const first = body.next()
  queue.push(bytes('a'))
  expect((await first).value).toEqual(bytes('a'))
  queue.push(bytes('b'))
  queue.push(bytes('c'))
  queue.end()
  expect((await body.next()).value).toEqual(bytes('bc'))
  expect(await body.next()).toEqual({ done: true, value: undefined })
})

test('reading a body to its end does not count as leaving', async () => {
  const onLeave = vi.fn()
  const queue = createBodyQueue()
  queue.push(bytes('all'))
  queue.end()
  expect(await textOf(queue.body(onLeave))).toBe('all')
  expect(onLeave).not.toHaveBeenCalled()
})

test('reports a reader that leaves before it began', async () => {
  const onLeave = vi.fn()
  const body = createBodyQueue().body(onLeave)[Symbol.asyncIterator]()
  await body.return?.()
  expect(onLeave).toHaveBeenCalledOnce()
  expect(await body.next()).toEqual({ done: true, value: undefined })
})

test('reports a reader that leaves while it waits at once, and ends the wait', async () => {
  const onLeave = vi.fn()
  const body = createBodyQueue().body(onLeave)[Symbol.asyncIterator]()
  const waiting = body.next()
  await body.return?.()
  expect(onLeave).toHaveBeenCalledOnce()
  expect(await waiting).toEqual({ done: true, value: undefined })
})

test('a failure is passed to the reader, and the writer is told to stop', async () => {
  const onLeave = vi.fn()
  const queue = createBodyQueue()
  queue.push(bytes('lost'))
  queue.fail(new Error('broken'))
  await expect(textOf(queue.body(onLeave))).rejects.toThrow('broken')
  expect(onLeave).toHaveBeenCalledOnce()
})
