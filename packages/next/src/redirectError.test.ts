import { expect, test } from 'vitest'
import { isRedirectError } from './redirectError.ts'
import { notFound, permanentRedirect, redirect } from './signals.ts'

function thrownBy(run: () => never): unknown {
  try {
    return run()
  } catch (thrown) {
    return thrown
  }
}

test.each([
  ['a redirect', () => redirect('/a;b'), true],
  ['a permanent redirect', () => permanentRedirect('/a'), true],
  ['a missing page', notFound, false],
  ['a failure', () => expect.fail('NEXT_REDIRECT;push;/a;307;'), false],
])('%s is recognised correctly', (_name, run, isRedirect) => {
  expect(isRedirectError(thrownBy(run))).toBe(isRedirect)
})
