import { expect, test } from 'vitest'
import { ActionError, type ActionErrorCode } from 'waymark/client'
import { unstable_isUnrecognizedActionError } from './navigation.ts'

test.each<[ActionErrorCode, boolean]>([
  ['unknown', true],
  ['stale', true],
  ['failed', false],
  ['not-sent', false],
])('an error of a call, %s: the build does not know its action is %s', (code, expected) => {
  const error = new ActionError(code, () => Promise.resolve())
  expect(unstable_isUnrecognizedActionError(error)).toBe(expected)
  expect(unstable_isUnrecognizedActionError(new Error(code))).toBe(false)
})
