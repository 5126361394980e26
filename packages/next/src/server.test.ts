import { expect, test } from 'vitest'
import { NextRequest, URLPattern } from './server.ts'

test("URLPattern works in runtimes that don't have it", () => {
  const pattern = new URLPattern({ pathname: '/:lang/blog/:slug' })
  const result = pattern.exec('https://a.test/de/blog/one?q=1')
  expect(result?.pathname.groups).toEqual({ lang: 'de', slug: 'one' })
  expect(pattern.test('https://a.test/de')).toBe(false)
})

test('a copy of a request with another URL keeps everything else', async () => {
  const headers = { cookie: 'session=1', 'content-type': 'text/plain' }
  const sent = new Request('http://a.test/b?c', { method: 'POST', headers, body: 'text' })
  const request = new NextRequest('http://other.test/b?c', sent)
  expect(request.nextUrl.host).toBe('other.test')
  expect(request.method).toBe('POST')
  expect(request.cookies.get('session')?.value).toBe('1')
  expect(await request.text()).toBe('text')
})
