import { expect, test } from 'vitest'
import { URLPattern } from './server.ts'

test('URLPattern matches where the runtime has none', () => {
  const pattern = new URLPattern({ pathname: '/:lang/blog/:slug' })
  const result = pattern.exec('https://a.test/de/blog/one?q=1')
  expect(result?.pathname.groups).toEqual({ lang: 'de', slug: 'one' })
  expect(pattern.test('https://a.test/de')).toBe(false)
})
