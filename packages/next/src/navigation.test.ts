import { expect, test } from 'vitest'
import { ActionError, type ActionErrorCode } from 'waymark/client'
import { unstable_isUnrecognizedActionError } from './navigation.ts'

test.each<[ActionErrorCode, boolean]>([
  ['unknown', true],
  ['stale', true],
  ['failed', false],
  ['not-sent', false],
])(
  'for an error with the code %s, unstable_isUnrecognizedActionError() returns %s',
  (code, expected) => {
    const error = new ActionError(code, () => Promise.resolve())
    expect(unstable_isUnrecognizedActionError(error)).toBe(expected)
    expect(unstable_isUnrecognizedActionError(new Error(code))).toBe(false)
  },
)
