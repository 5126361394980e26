import { describe, expect, test } from 'vitest'
import { createCookieStore } from './cookies.ts'

function storeOf(header: string | null = null) {
  return createCookieStore(header, () => {})
}

describe('the cookies of a request', () => {
  test('are the cookies that were sent', () => {
    const { cookies, setCookies } = storeOf('a=1; b=x%20y; a=2')
    expect(cookies.get('a')).toEqual({ name: 'a', value: '1' })
    expect(cookies.get('c')).toBeUndefined()
    expect(cookies.getAll('a').map(({ value }) => value)).toEqual(['1', '2'])
    expect(cookies.getAll()).toHaveLength(3)
    expect(cookies.has('b')).toBe(true)
    expect(cookies.has('toString')).toBe(false)
    expect(cookies.size).toBe(3)
    expect([...cookies].map(({ name }) => name)).toEqual(['a', 'b', 'a'])
    expect(String(cookies)).toBe('a=1; b=x%20y; a=2')
    expect(setCookies()).toEqual([])
  })

  test('include cookies that were set since', () => {
    const { cookies } = storeOf('a=1; a=2')
    cookies.set('a', '3')
    cookies.set({ name: 'b', value: 'x y', httpOnly: true })
    expect(cookies.getAll('a')).toEqual([{ name: 'a', value: '3' }])
    expect(cookies.get('b')?.value).toBe('x y')
    expect(String(cookies)).toBe('a=3; b=x%20y')
  })

  test('do not include cookies that were deleted since', () => {
    const { cookies } = storeOf('a=1; b=2')
    cookies.delete('a')
    expect(cookies.has('a')).toBe(false)
    expect(cookies.size).toBe(1)
  })
})

describe('the set-cookie lines of the response', () => {
  test('have one line for each cookie, the last that was written', () => {
    const { cookies, setCookies } = storeOf()
    cookies.set('a', '1')
    cookies.set('b', '1')
    cookies.set('a', '2', { path: '/' })
    cookies.set('a', '3', { path: '/shop' })
    cookies.set('a', '4', { domain: 'Example.com' })
    expect(setCookies()).toEqual([
      'b=1; Path=/; SameSite=Lax',
      'a=2; Path=/; SameSite=Lax',
      'a=3; Path=/shop; SameSite=Lax',
      'a=4; Path=/; Domain=Example.com; SameSite=Lax',
    ])
  })

  test('delete a cookie as browsers require it, with any prefix', () => {
    const { cookies, setCookies } = storeOf('__Host-a=1')
    cookies.delete('__Host-a')
    cookies.delete({ name: 'b', path: '/shop', domain: 'example.com' })
    expect(setCookies()).toEqual([
      '__Host-a=; Path=/; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Secure; SameSite=Lax',
      'b=; Path=/shop; Domain=example.com; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; SameSite=Lax',
    ])
  })

  test('have no line for a cookie that was refused', () => {
    const { cookies, setCookies } = storeOf('a=1')
    expect(() => cookies.set('a', '2', { path: 'x' })).toThrow(/COOKIE_INVALID/)
    expect(cookies.get('a')?.value).toBe('1')
    expect(setCookies()).toEqual([])
  })
})
