import { expect, test } from 'vitest'
import { ActionError, type ActionErrorCode } from 'waymark/client'
import { conflict } from './conflict.ts'
import { outcomeOf, outcomeOfError } from './outcome.ts'

const once = { timesSent: 1 }
const again = { timesSent: 2 }

type Response = Parameters<typeof outcomeOf>[0]

const page = {} as never
const inputErrors = { formErrors: ['No.'], fieldErrors: { text: ['Too short.'] } }
const wrongInput = { isInvalid: true as const, ...inputErrors, values: {} }

test.each<[string, Response, object]>([
  ['a result', { kind: 'returned', value: { isSaved: true } }, { kind: 'sent' }],
  ['no result', { kind: 'returned', value: undefined }, { kind: 'sent' }],
  [
    'a conflict',
    { kind: 'returned', value: conflict('Changed.', { text: 'now' }) },
    { problem: { kind: 'conflict', message: 'Changed.', current: { text: 'now' } } },
  ],
  [
    'a conflict with a value that cannot be stored',
    { kind: 'returned', value: conflict('Changed.', () => {}) },
    { problem: { kind: 'conflict', current: undefined } },
  ],
  [
    'a redirect of the action',
    { kind: 'redirect', location: '/thanks', type: 'push' },
    { kind: 'sent' },
  ],
  [
    'a redirect of a guard, before anything ran',
    { kind: 'redirect', location: '/login', type: 'replace' },
    { problem: { kind: 'sign-in' }, keepsKey: true },
  ],
  ['a 401', { kind: 'signal', status: 401, page }, { problem: { kind: 'sign-in' } }],
  ['a 403', { kind: 'signal', status: 403, page }, { problem: { kind: 'refused', status: 403 } }],
  [
    'wrong input',
    { kind: 'invalid', value: wrongInput },
    { problem: { kind: 'invalid', message: 'No. Too short.', errors: inputErrors } },
  ],
  [
    'an action that threw',
    { kind: 'failed', digest: 'abc' },
    { problem: { kind: 'failed', digest: 'abc', message: 'An error occurred. (abc)' } },
  ],
  ['a refusal', { kind: 'refused', code: 'stale' }, { problem: { kind: 'updated' } }],
  [
    'a conflict beside a page',
    { kind: 'returned', value: Promise.resolve(conflict('Changed.', 'now')), page },
    { problem: { kind: 'conflict', message: 'Changed.', current: 'now' } },
  ],
  [
    'wrong input beside a page',
    { kind: 'invalid', value: Promise.resolve(wrongInput) as never, page },
    { problem: { kind: 'invalid', message: 'No. Too short.', errors: inputErrors } },
  ],
])('%s', async (_name, response, expected) => {
  expect(await outcomeOf(response, once)).toMatchObject(expected)
})

test('an action whose result rejects has run', async () => {
  const value = Promise.reject(new Error('of the result'))
  expect(await outcomeOf({ kind: 'returned', value, page }, once)).toEqual({ kind: 'sent' })
})

const byCode: Readonly<Record<string, readonly ActionErrorCode[]>> = {
  sent: ['response-gone', 'other-credentials'],
  later: ['not-sent', 'cancelled', 'unanswered', 'cut', 'unfinished', 'too-slow'],
  updated: ['unknown', 'stale', 'key-reused', 'malformed', 'wrong-type'],
  failed: ['failed', 'timeout'],
  'too-large': ['too-large'],
  refused: ['foreign-origin'],
}

test.each(Object.entries(byCode))('error codes with the outcome: %s', (meaning, codes) => {
  for (const code of codes) {
    const outcome = outcomeOfError(new ActionError(code, async () => {}), again)
    expect(outcome.kind === 'problem' ? outcome.problem.kind : outcome.kind).toBe(meaning)
  }
})

test('an error of another kind keeps the entry', () => {
  expect(outcomeOfError(new TypeError('Failed to fetch'), again)).toEqual({ kind: 'later' })
})

test('a key that was used with other cookies, but not by this browser, needs attention', async () => {
  const outcome = await outcomeOf({ kind: 'refused', code: 'other-credentials' }, once)
  expect(outcome).toMatchObject({ kind: 'problem', problem: { kind: 'unanswered' } })
})
