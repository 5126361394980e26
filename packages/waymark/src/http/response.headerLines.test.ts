import { expect, test } from 'vitest'
import { withDefaultLines } from './response.ts'

test('defaults are added, and what is there wins', () => {
  expect(
    withDefaultLines(
      [['a', '1']],
      [
        ['a', '2'],
        ['b', '3'],
      ],
    ),
  ).toEqual([
    ['a', '1'],
    ['b', '3'],
  ])
})

test('an empty value keeps a line away', () => {
  expect(withDefaultLines([['a', '']], [['a', '2']])).toEqual([])
})

test('with nothing to add, the lines are the same', () => {
  const lines: [string, string][] = [['a', '1']]
  expect(withDefaultLines(lines, [['a', '2']])).toBe(lines)
})
