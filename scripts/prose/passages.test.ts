import { expect, test } from 'vitest'
import { passagesOf } from './passages.mjs'

test('a page is one passage', () => {
  expect(passagesOf('guide/page.mdx', '# Title\n\nText.\n')).toEqual([
    { text: '# Title\n\nText.\n', line: 1, kind: 'page' },
  ])
})

test('line comments that follow each other are one passage', () => {
  const source = '// First line,\n// second line.\nlet a = 1\n// Another comment.\n'
  expect(passagesOf('a.ts', source)).toEqual([
    { text: 'First line,\nsecond line.', line: 1, kind: 'comment' },
    { text: 'Another comment.', line: 4, kind: 'comment' },
  ])
})

test('a docstring has a passage for its description and for each tag with text', () => {
  const source = `
/**
 * Reads the file.
 * @param {{ a: string }} options size in bytes
 * @returns the text
 * @see RFC 9110
 */
export function read() {}
`
  expect(passagesOf('a.mjs', source)).toEqual([
    { text: '\nReads the file.', line: 2, kind: 'comment' },
    { text: 'size in bytes', line: 4, kind: 'comment' },
    { text: 'the text', line: 5, kind: 'comment' },
  ])
})

test('a type of several lines is no text', () => {
  const source = `/**
 * @param {{
 *   a: string,
 * }} options the file to read
 */
`
  expect(passagesOf('a.mjs', source)).toEqual([
    { text: '\n\nthe file to read', line: 2, kind: 'comment' },
  ])
})

test('literals with sentences are messages, with code in place of values', () => {
  const source = 'const a = `The port $' + '{port} is already in use.`\nconst b = "a/b/c.tsx"\n'
  expect(passagesOf('a.ts', source)).toEqual([
    { text: 'The port `x` is already in use.', line: 1, kind: 'message' },
  ])
})

test('directives for other tools are no prose', () => {
  expect(passagesOf('a.ts', '// biome-ignore lint/a: it has a reason.\nlet a = 1\n')).toEqual([])
})
