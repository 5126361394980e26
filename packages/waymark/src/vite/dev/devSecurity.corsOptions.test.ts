import { expect, test } from 'vitest'
import { corsOptions } from './devSecurity.ts'

test.each([
  [undefined, false],
  [true, { preflightContinue: true }],
  [false, false],
  [{ origin: 'https://a.example' }, { origin: 'https://a.example', preflightContinue: true }],
  [{ preflightContinue: false }, { preflightContinue: false }],
])('%j becomes %j', (option, expected) => {
  expect(corsOptions(option)).toEqual(expected)
})
