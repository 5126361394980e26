import { describe, expect, test } from 'vitest'
import { fingerprintOf } from './journalEntry.ts'

const error = {
  name: 'Error',
  code: null,
  message: 'no user 7',
  stack: 'at load (file:///app/.waymark/rsc/assets/page-Bx3_k9aQ.js:10:5)\nat b (/x/c.js:1:1)',
}

describe('a fingerprint stays the same', () => {
  test.each([
    [
      'in another build',
      { stack: error.stack.replace('Bx3_k9aQ', 'a_Z81-aa').replace('10:5', '99:1') },
    ],
    ['with another message', { message: 'no user 8' }],
    ['in another folder', { stack: error.stack.replaceAll('/app/', '/srv/') }],
    ['below other frames of Node', { stack: `at x (node:internal/a:1:1)\n${error.stack}` }],
    ['below frames of packages', { stack: `at x (/app/node_modules/a/b.js:1:1)\n${error.stack}` }],
  ])('%s', (_, change) => {
    expect(fingerprintOf({ ...error, ...change })).toBe(fingerprintOf(error))
  })

  test.each([
    ['no user 7', 'no user 1234'],
    ['no user "a"', 'no user "b c"'],
    ['request 0f8fad5b-d9cb-469f failed', 'request 7c9e6679-7425-40de failed'],
    ['first\nsecond', 'first\nthird'],
  ])('without a stack, from %j to %j', (a, b) => {
    const textOf = (message: string) => fingerprintOf({ ...error, stack: null, message })
    expect(textOf(a)).toBe(textOf(b))
  })
})

describe('a fingerprint differs', () => {
  test.each([
    ['by name', { name: 'TypeError' }],
    ['by code', { code: 'ENOENT' }],
    ['by function', { stack: error.stack.replace('load', 'save') }],
    ['by file', { stack: error.stack.replace('page-', 'layout-') }],
    ['without a stack', { stack: null }],
  ])('%s', (_, change) => {
    expect(fingerprintOf({ ...error, ...change })).not.toBe(fingerprintOf(error))
  })

  test('for a thousand different messages', () => {
    const messages = Array.from({ length: 1_000 }, (_, at) =>
      String.fromCharCode(97 + (at % 26), 97 + ((at / 26) % 26), 97 + at / 676),
    )
    const prints = messages.map((message) => fingerprintOf({ ...error, stack: null, message }))
    expect(new Set(prints).size).toBe(1_000)
  })
})
