import { expect, test } from 'vitest'
import { codeFrame } from './codeFrame.ts'

const source = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join('\n')

test('shows two lines around the place, and marks the column', () => {
  expect(codeFrame(source, 9, 3)).toBe(
    [' 7 | line 7', ' 8 | line 8', ' 9 | line 9', '   |   ^', '10 | line 10', '11 | line 11'].join(
      '\n',
    ),
  )
})

test('ends where the file does', () => {
  expect(codeFrame('only', 1, 1)).toBe('1 | only\n  | ^')
})

test('keeps tabs below tabs', () => {
  expect(codeFrame('\t\tx', 1, 3)).toBe('1 | \t\tx\n  | \t\t^')
})
