import { describe, expect, test } from 'vitest'
import {
  createIsCredential,
  hasCredentials,
  hashCredentials,
  readCredentials,
  withSetCookies,
} from './credentials.ts'

const isCredential = createIsCredential(['theme', 'shop_*_seen'])

function hashOf(cookie: string, authorization = ''): string {
  return hashCredentials(credentialsOf(cookie, authorization), 'use')
}

function credentialsOf(cookie: string, authorization = '') {
  return readCredentials(new Headers({ cookie, authorization }), isCredential)
}

describe('credentials', () => {
  test.each([
    ['a=1; b=2', 'b=2;a=1'],
    ['a=1', 'a=1; _ga=GA1.1.2; _ga_ABC=GS1.1; _dd_s=rum=1; AWSALB=x; ph_key_posthog=%7B%7D'],
    ['a=1; theme=dark', 'a=1; theme=light'],
    ['a=1; shop_1_seen=x', 'a=1'],
    ['', '_ga=1'],
    ['a=1;', 'a=1; ;'],
  ])('of %j are the same as of %j', (one, other) => {
    expect(hashOf(one)).toBe(hashOf(other))
  })

  test.each([
    ['a=1', 'a=2'],
    ['a=1', ''],
    ['a=1', 'A=1'],
    ['a=1; b=2', 'a=1'],
    ['a=1; a=2', 'a=2; a=1'],
    ['a=1; b=2', 'a=1;b=3'],
    // Cookies such as `_gas` are not ignored, although their names resemble `_ga`.
    ['a=1', 'a=1; _gas=1'],
    ['a=1', 'a=1; x_ga=1'],
    ['a=1', 'a=1; _myapp_session=1'],
    ['a=1', 'a=1; themes=dark'],
    ['a=1', 'a=1; x'],
  ])('of %j differ from those of %j', (one, other) => {
    expect(hashOf(one)).not.toBe(hashOf(other))
  })

  test('include the authorization header, and their hash depends on the purpose', () => {
    expect(hashOf('', 'Basic a')).not.toBe(hashOf('', 'Basic b'))
    expect(hashOf('', 'Basic a')).not.toBe(hashOf(''))
    const alice = credentialsOf('session=a')
    expect(hashCredentials(alice, 'one')).not.toBe(hashCredentials(alice, 'other'))
    expect([alice, credentialsOf('', 'x'), credentialsOf('theme=x')].map(hasCredentials)).toEqual([
      true,
      true,
      false,
    ])
  })

  test.each<[string, string[], string]>([
    ['', ['session=s; Path=/; HttpOnly'], 'session=s'],
    ['a=1; session=old', ['session=new'], 'a=1; session=new'],
    ['a=1; session=s', ['session=; Max-Age=0'], 'a=1'],
    ['a=1; session=s', ['session=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], 'a=1'],
    ['a=1', ['b=2; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], 'a=1; b=2'],
    ['a=1', ['b=2', 'b=3; path=/shop'], 'a=1; b=3'],
    ['a=1', ['b=2; Path=/shop/'], 'a=1; b=2'],
    ['a=1', ['b=2; Path=/sho'], 'a=1'],
    ['a=1', ['b=2; Path=/admin'], 'a=1'],
    ['a=1', ['theme=dark', '_ga=1'], 'a=1'],
  ])('%j with %j set become %j', (before, lines, after) => {
    const context = { pathname: '/shop/cart', nowMs: Date.UTC(2026, 1, 1), isCredential }
    const changed = withSetCookies(credentialsOf(before), lines, context)
    expect(hashCredentials(changed, 'use')).toBe(hashOf(after))
  })
})
