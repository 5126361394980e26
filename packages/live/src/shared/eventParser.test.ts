import { expect, test } from 'vitest'
import { createEventParser } from './eventParser.ts'

const parseAll = (...pieces: string[]) => {
  const parse = createEventParser({ maxLength: 1_000 })
  return pieces.flatMap((piece) => [...parse(piece)])
}
const event = (data: string, id: string | null = null, name = 'message') => {
  return { kind: 'event', id, event: name, data }
}

test.each([
  ['data', 'data: 1\n\n', [event('1')]],
  ['a name and an id', 'id: 7\nevent: added\ndata: 1\n\n', [event('1', '7', 'added')]],
  ['several lines of data', 'data: a\ndata:b\ndata\n\n', [event('a\nb\n')]],
  ['one space after the colon only', 'data:  a\n\n', [event(' a')]],
  ['carriage returns', 'data: 1\r\rdata: 2\r\n\r\n', [event('1'), event('2')]],
  ['a byte order mark', '\uFEFFdata: 1\n\n', [event('1')]],
  ['an id that stays', 'id: 7\n\ndata: 1\n\ndata: 2\n\n', [event('1', '7'), event('2', '7')]],
  ['an id with a zero byte', 'id: 7\0\ndata: 1\n\n', [event('1')]],
  ['a name that does not stay', 'event: a\n\ndata: 1\n\n', [event('1')]],
  ['a comment', ':\n\n: there\n', [{ kind: 'comment' }, { kind: 'comment' }]],
  ['a time to wait', 'retry: 50\nretry: 5s\n', [{ kind: 'retry', afterMs: 50 }]],
  ['other fields', 'nothing: here\n\n', []],
  ['an event that is cut off', 'id: 7\ndata: 1\n', []],
])('%s', (_, text, messages) => {
  expect(parseAll(text)).toEqual(messages)
})

test('a response may be split anywhere', () => {
  const text =
    '\uFEFFretry: 9\r\n\r\nid: 1\r\nevent: a\r\ndata: x\r\ndata: y\r\n\r\n:\r\n\r\nid: 2\ndata: z\n\n'
  const whole = parseAll(text)
  expect(whole).toHaveLength(4)
  expect(parseAll(...text)).toEqual(whole)
  for (let at = 1; at < text.length; at++) {
    expect(parseAll(text.slice(0, at), text.slice(at)), `cut at ${at}`).toEqual(whole)
  }
})

test('an event without an end is not buffered forever', () => {
  expect(() => parseAll(`data: ${'x'.repeat(2_000)}`)).toThrow('too long or never ends')
  expect(() => parseAll(...Array<string>(50).fill(`data: ${'x'.repeat(30)}\n`))).toThrow()
})
