import { describe, expect, it } from 'vitest'
import { contentTypeOf } from './mediaTypes.ts'

describe('contentTypeOf', () => {
  it.each([
    ['a.css', 'text/css; charset=utf-8'],
    ['a.JS', 'text/javascript; charset=utf-8'],
    ['page.rsc', 'text/x-component; charset=utf-8'],
    ['favicon.ico', 'image/x-icon'],
    ['a.tar.gz', 'application/gzip'],
    ['a', 'application/octet-stream'],
    ['a.constructor', 'application/octet-stream'],
  ])('%s is %s', (file, expected) => {
    expect(contentTypeOf(file)).toBe(expected)
  })
})
