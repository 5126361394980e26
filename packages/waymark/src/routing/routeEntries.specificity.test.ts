import { expect, test } from 'vitest'
import { compareSpecificity } from './routeEntries.ts'
import type { UrlSegment } from './segment.ts'

const one = (name: string): UrlSegment => ({ kind: 'static', name })
const any: UrlSegment = { kind: 'dynamic', param: 'any' }
const rest: UrlSegment = { kind: 'rest', param: 'rest' }
const optional: UrlSegment = { kind: 'optional-rest', param: 'rest' }

const ordered: UrlSegment[][] = [
  [],
  [one('a')],
  [one('a'), one('b')],
  [one('a'), one('b'), any],
  [one('a'), any, one('c')],
  [one('a'), any, rest],
  [one('a'), rest],
  [one('a'), optional],
  [one('b')],
  [any],
  [any, one('a')],
  [rest],
  [optional],
]

test('patterns are compared by their first segment that differs, the more specific first', () => {
  for (const [index, pattern] of ordered.entries()) {
    for (const [other, otherPattern] of ordered.entries()) {
      const order = Math.sign(compareSpecificity(pattern, otherPattern))
      expect(order).toBe(Math.sign(index - other))
    }
  }
})

test("the names of params don't affect the order", () => {
  expect(compareSpecificity([any], [{ kind: 'dynamic', param: 'other' }])).toBe(0)
})
