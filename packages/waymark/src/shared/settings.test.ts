import { expect, test } from 'vitest'
import { resolveActionSettings } from './settings.ts'

test('ignored cookies are names, in which an asterisk matches anything', () => {
  const ignoredCookies = ['seen', 'ab_*', '*_consent']
  expect(resolveActionSettings({ ignoredCookies })).toMatchObject({ ignoredCookies })
  expect(resolveActionSettings().ignoredCookies).toEqual([])
})

// Patterns that would match every cookie, and invalid names.
test.each(['*', '**', '', 'a b', 'a=b', 'a;b'])('%j is not a valid cookie name', (name) => {
  expect(() => resolveActionSettings({ ignoredCookies: [name] })).toThrow(
    expect.objectContaining({ message: expect.stringContaining('ignoredCookies') }),
  )
})
