import { describe, expect, test } from 'vitest'
import { createCookieStore } from '../../waymark/src/rsc/request/cookies.ts'
import { RequestCookies, ResponseCookies, withSetCookies } from './messageCookies.ts'

describe('the cookies of a request', () => {
  test('are read, and decoded if possible', () => {
    const cookies = new RequestCookies(new Headers({ cookie: 'a=1; b=%20x; c=%; =no; d' }))
    expect(cookies.size).toBe(3)
    expect(cookies.get('b')).toEqual({ name: 'b', value: ' x' })
    expect(cookies.get('c')?.value).toBe('%')
    expect(cookies.getAll().map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(cookies.has('d')).toBe(false)
  })

  test('are the same that a page reads: the first of each name, without quotation marks', () => {
    const cookie = 'role=admin; a="x y"; role=user; role=; a=2'
    const cookies = new RequestCookies(new Headers({ cookie }))
    const { cookies: ofPage } = createCookieStore(cookie, () => {})
    for (const name of ['role', 'a']) expect(cookies.get(name)).toEqual(ofPage.get(name))
    expect(cookies.get('role')?.value).toBe('admin')
  })

  test('are written into the header when they change', () => {
    const headers = new Headers({ cookie: 'a=1; b=2' })
    const cookies = new RequestCookies(headers)
    cookies.set('c', 'x y').delete('a')
    expect(headers.get('cookie')).toBe('b=2; c=x%20y')
    cookies.clear()
    expect(headers.has('cookie')).toBe(false)
  })
})

describe('the cookies of a response', () => {
  test('are written with their attributes', () => {
    const headers = new Headers()
    const cookies = new ResponseCookies(headers)
    cookies.set('a', 'x y', { httpOnly: true, secure: true, sameSite: 'lax', maxAge: 60 })
    cookies.set({ name: 'b', value: '1', path: '/b', expires: 0 })
    cookies.delete('c')
    expect(headers.getSetCookie()).toEqual([
      'a=x%20y; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=lax',
      'b=1; Path=/b; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
      'c=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0',
    ])
  })

  test('keep existing Set-Cookie headers, and can read them', () => {
    const headers = new Headers({ 'set-cookie': 'a=1; Path=/a; HttpOnly; Max-Age=5; SameSite=Lax' })
    const cookies = new ResponseCookies(headers)
    expect(cookies.get('a')).toEqual({
      name: 'a',
      value: '1',
      path: '/a',
      httpOnly: true,
      maxAge: 5,
      sameSite: 'lax',
    })
    cookies.set('b', '2')
    expect(headers.getSetCookie()).toEqual([
      'a=1; Path=/a; Max-Age=5; HttpOnly; SameSite=lax',
      'b=2; Path=/',
    ])
  })

  test('have the path / by default, even if the path is undefined', () => {
    const headers = new Headers()
    new ResponseCookies(headers).set('a', '1', { path: undefined, sameSite: 'lax' })
    expect(headers.get('set-cookie')).toBe('a=1; Path=/; SameSite=lax')
  })
})

test.each([
  ['a=1; b=2', ['b=3; Path=/; HttpOnly', 'c=x%20y'], 'a=1; b=3; c=x%20y'],
  ['', ['a=1'], 'a=1'],
  ['a=b=; ab=1', ['a=2'], 'ab=1; a=2'],
  ['a=1; b=2', ['a=; Max-Age=0', 'b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], ''],
  ['a=1', ['a=1; Max-Age=0', 'a=2; Max-Age=60'], 'a=2'],
])('%j with %j becomes %j', (header, lines, expected) => {
  expect(withSetCookies(header, lines)).toBe(expected)
})
