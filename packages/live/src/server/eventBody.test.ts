import { expect, test } from 'vitest'
import { createEventBody } from './eventBody.ts'

const textOf = ({ value }: IteratorResult<Uint8Array>) => Buffer.from(value ?? []).toString()

test('messages are sent as events, and waiting ones go out together', async () => {
  const body = createEventBody(() => {})
  const reader = body[Symbol.asyncIterator]()
  body.send({ changed: [1], gone: [] })
  body.heartbeat()
  expect(textOf(await reader.next())).toBe('data: {"changed":[1],"gone":[]}\n\n:\n\n')
  const next = reader.next()
  body.send({ changed: [2] })
  expect(textOf(await next)).toBe('data: {"changed":[2]}\n\n')
})

test('the end says when to connect again', async () => {
  let ends = 0
  const body = createEventBody(() => ends++)
  const reader = body[Symbol.asyncIterator]()
  body.end()
  body.end()
  body.send({ changed: [0] })
  expect(textOf(await reader.next())).toMatch(/^data: \{"againAfterMs":\d{1,4}\}\n\n$/)
  expect((await reader.next()).done).toBe(true)
  expect(ends).toBe(1)
})

test('a client that leaves ends the body', async () => {
  let ends = 0
  const body = createEventBody(() => ends++)
  const reader = body[Symbol.asyncIterator]()
  const next = reader.next()
  await reader.return?.()
  expect((await next).done).toBe(true)
  expect(ends).toBe(1)
})

test('a client that does not read is dropped, and nothing is queued for it', async () => {
  let ends = 0
  const body = createEventBody(() => ends++)
  for (let at = 0; at < 5_000; at++) body.send({ changed: [at] })
  expect(ends).toBe(1)
  expect((await body[Symbol.asyncIterator]().next()).done).toBe(true)
})
