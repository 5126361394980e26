import { expect, test } from 'vitest'
import { encodeEnd, encodeEvent, encodeRetry, heartbeat } from './encodeEvent.ts'
import { createEventParser } from './eventParser.ts'
import type { StreamEvent } from './streamEvents.ts'

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

test.each<[string, StreamEvent, string]>([
  ['data', { data: { a: 1 } }, 'data: {"a":1}\n\n'],
  ['an id and a name', { id: 7, event: 'a.b', data: 1 }, 'id: 7\nevent: a.b\ndata: 1\n\n'],
  ['no data', { id: 'x' }, 'id: x\ndata: null\n\n'],
  ['line breaks', { data: 'a\r\n\nb' }, 'data: "a\\r\\n\\nb"\n\n'],
])('%s', (_, event, text) => {
  expect(textOf(encodeEvent(event, 1_000))).toBe(text)
})

test('a client reads back the written event', () => {
  const parse = createEventParser({ maxLength: 1_000 })
  const event = encodeEvent({ id: 'p-1', event: 'added', data: ['ü', '\u2028'] }, 1_000)
  const pieces = [encodeRetry(1.4), event, heartbeat, encodeEnd({ digest: 'd' })]
  expect(pieces.flatMap((piece) => [...parse(textOf(piece))])).toEqual([
    { kind: 'retry', afterMs: 1 },
    { kind: 'event', id: 'p-1', event: 'added', data: '["ü","\u2028"]' },
    { kind: 'comment' },
    { kind: 'event', id: 'p-1', event: 'end', data: '{"digest":"d"}' },
  ])
})

test.each<[string, unknown]>([
  ['an id with a line break', { id: '1\ndata: 2' }],
  ['an id that does not fit into a header', { id: 'ü' }],
  ['an empty id', { id: '' }],
  ['a name with a line break', { event: 'a\ndata: 2' }],
  ['the name of the end event', { event: 'end' }],
  ['a name of EventSource', { event: 'error' }],
  ['data that is not JSON', { data: 1n }],
  ['too much', { data: 'x'.repeat(1_000) }],
])('%s is refused', (_, event) => {
  expect(() => encodeEvent(event as StreamEvent, 1_000)).toThrow()
})

test('the size limit counts bytes', () => {
  expect(() => encodeEvent({ data: 'ü'.repeat(40) }, 70)).toThrow(/90 bytes/)
})
