import { expect, test } from 'vitest'
import { isSame } from './isSame.ts'

test.each([
  ['abc', 'abc', true],
  ['abc', 'abd', false],
  ['abc', 'abcd', false],
  ['', '', true],
])('%j and %j are the same: %j', (a, b, same) => expect(isSame(a, b)).toBe(same))
