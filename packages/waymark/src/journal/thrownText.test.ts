import { describe, expect, test } from 'vitest'
import { cleanLine, cleanText, redactFrame, redactHeaders, redactText } from './thrownText.ts'

describe('a text', () => {
  test.each([
    ['plain\n\ttext', 'plain\n\ttext'],
    ['a\r\nb', 'a\nb'],
    ['over\rwritten', 'over\ufffdwritten'],
    ['\x1b[31mred\x1b[0m', 'red'],
    ['\x1b[\x1b[1m2J', '\ufffd[2J'],
    ['\0\x7f\x9b', '\ufffd\ufffd\ufffd'],
    ['\u202egnp.exe', '\ufffdgnp.exe'],
    ['\ud800 alone', '\ufffd alone'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
  ])('%j becomes %j', (text, expected) => {
    expect(cleanText(text, 100)).toBe(expected)
  })

  test('that is too long ends with an ellipsis, within the limit', () => {
    expect(cleanText('abcdef', 4)).toBe('abc…')
    expect(cleanText('abcd', 4)).toBe('abcd')
  })
})

test('cleanLine returns a single line', () => {
  expect(cleanLine('a\nb\r\n\tc', 100)).toBe('a b c')
})

describe('a text loses', () => {
  test.each([
    ['a header', 'authorization: Bearer abc.def', 'authorization: [redacted]'],
    ['a header in any case', 'Cookie: a=1; b=2\nnext', 'Cookie: [redacted]\nnext'],
    ['a header in JSON', '{"cookie":"a=1; b=2","x":1}', '{"cookie":[redacted],"x":1}'],
    ['a property', "{ authorization: 'Basic x y', a: 1 }", '{ authorization: [redacted], a: 1 }'],
    ['a pair', "[ 'set-cookie', 'id=1; Path=/' ]", "[ 'set-cookie', [redacted] ]"],
    ['credentials', 'sent Bearer eyJhbGciOi.x-y_z', 'sent Bearer [redacted]'],
    ['a user', 'connect postgres://me:secret@db:5432/a', 'connect postgres://[redacted]@db:5432/a'],
    ['query values', 'GET /a?token=abc&x=1 failed', 'GET /a?token=[redacted]&x=[redacted] failed'],
    ['the rest of a value', '/a?to=https://x.test:80/b', '/a?to=[redacted]'],
  ])('%s', (_, text, expected) => {
    expect(redactText(text)).toBe(expected)
  })
})

describe('a text keeps', () => {
  test.each([
    'The cookie banner is missing',
    'The cookie, which is late',
    'Basic auth is needed',
    'a ? b : c',
    'x = 1 && y = 2',
    'No authorization was given',
    'mail me@example.com',
    'https://example.com/a?b',
  ])('%s', (text) => {
    expect(redactText(text)).toBe(text)
  })
})

test.each([
  [
    '    at a (http://user:pw@site.test/a.tsx?t=17:3:4)',
    '    at a (http://[redacted]@site.test/a.tsx:3:4)',
  ],
  ['    at http://site.test/b.js?v=a&b=c:5:6', '    at http://site.test/b.js:5:6'],
  ['    at async Promise.all (index 0)', '    at async Promise.all (index 0)'],
])('the frame %j keeps its place and loses its query', (frame, expected) => {
  expect(redactFrame(frame)).toBe(expected)
})

test('redacted headers keep their names', () => {
  const headers: [string, string][] = [
    ['Cookie', 'a=1'],
    ['accept', '*/*'],
    ['__proto__', 'x'],
  ]
  const redacted = redactHeaders(headers)
  expect(Object.entries(redacted)).toEqual([
    ['Cookie', '[redacted]'],
    ['accept', '*/*'],
    ['__proto__', 'x'],
  ])
})
