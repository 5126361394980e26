import { expect, test } from 'vitest'
import type { HandlerResponse } from '../../http/response.ts'
import { createDocumentLimit } from './documentLimit.ts'

const refused: HandlerResponse = { status: 503, headers: [], body: null }
const whole: HandlerResponse = { status: 200, headers: [], body: 'x' }

async function* pieces() {
  yield new Uint8Array([1])
  yield new Uint8Array([2])
}

test('a streamed document counts until its body has ended', async () => {
  const limit = createDocumentLimit(1)
  const streamed = { ...whole, body: pieces() }
  const response = await limit.render(
    () => streamed,
    () => refused,
  )
  expect(
    await limit.render(
      () => whole,
      () => refused,
    ),
  ).toBe(refused)
  for await (const _ of response.body as AsyncIterable<Uint8Array>);
  expect(limit.running()).toBe(0)
})

test('a document stops counting once it is complete, has failed or its reader has left', async () => {
  const limit = createDocumentLimit(1)
  const never = () => {
    throw new Error('there is room')
  }
  const { body } = await limit.render(() => ({ ...whole, body: pieces() }), never)
  const reader = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  await reader.next()
  await reader.return?.()
  expect(limit.running()).toBe(0)
  await limit.render(() => whole, never)
  const failing = limit.render(() => Promise.reject(new Error('failed')), never)
  await expect(failing).rejects.toThrow('failed')
  expect(limit.running()).toBe(0)
})
