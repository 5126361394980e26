import { expect, test } from 'vitest'
import { resolveActionSettings } from './settings.ts'

test('cookies to be ignored are named, with asterisks for anything', () => {
  const ignoredCookies = ['seen', 'ab_*', '*_consent']
  expect(resolveActionSettings({ ignoredCookies })).toMatchObject({ ignoredCookies })
  expect(resolveActionSettings().ignoredCookies).toEqual([])
})

// What would let every cookie pass, and what is no name.
test.each(['*', '**', '', 'a b', 'a=b', 'a;b'])('a cookie can not be named %j', (name) => {
  expect(() => resolveActionSettings({ ignoredCookies: [name] })).toThrow(
    expect.objectContaining({ message: expect.stringContaining('ignoredCookies') }),
  )
})
