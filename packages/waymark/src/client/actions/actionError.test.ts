import { expect, test } from 'vitest'
import { ActionError, type ActionErrorCode } from './actionError.ts'

test.each<[ActionErrorCode, string]>([
  ['not-sent', 'not-sent'],
  ['unanswered', 'unknown'],
  ['unfinished', 'unknown'],
  ['timeout', 'unknown'],
  ['too-large', 'refused'],
  ['stale', 'refused'],
  ['key-reused', 'refused'],
  ['failed', 'failed'],
  ['response-gone', 'failed'],
])('a call that ends as %s is %s', (code, type) => {
  expect(new ActionError(code, async () => {}).type).toBe(type)
})
