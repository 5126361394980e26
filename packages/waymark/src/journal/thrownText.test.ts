import { describe, expect, test } from 'vitest'
import { cleanLine, cleanText } from './thrownText.ts'

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

  test('that is too long ends in an ellipsis, within the bound', () => {
    expect(cleanText('abcdef', 4)).toBe('abc…')
    expect(cleanText('abcd', 4)).toBe('abcd')
  })
})

test('a line stays one', () => {
  expect(cleanLine('a\nb\r\n\tc', 100)).toBe('a b c')
})
