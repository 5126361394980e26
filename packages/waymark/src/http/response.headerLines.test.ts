import { expect, test } from 'vitest'
import { withDefaultLines } from './response.ts'

test('defaults are added, and existing lines win', () => {
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

test('an empty value removes a line', () => {
  expect(withDefaultLines([['a', '']], [['a', '2']])).toEqual([])
})

test('if there is nothing to add, the same lines are returned', () => {
  const lines: [string, string][] = [['a', '1']]
  expect(withDefaultLines(lines, [['a', '2']])).toBe(lines)
})
