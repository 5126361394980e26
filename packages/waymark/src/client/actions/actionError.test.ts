import { expect, test } from 'vitest'
import { ActionError, type ActionErrorCode } from './actionError.ts'

test.each<[ActionErrorCode, string]>([
  ['not-sent', 'not-sent'],
  ['cancelled', 'not-sent'],
  ['unanswered', 'unknown'],
  ['unfinished', 'unknown'],
  ['timeout', 'unknown'],
  ['too-large', 'refused'],
  ['stale', 'refused'],
  ['key-reused', 'refused'],
  ['failed', 'failed'],
  ['response-gone', 'failed'],
])('an error with the code %s has the type %s', (code, type) => {
  expect(new ActionError(code, async () => {}).type).toBe(type)
})
