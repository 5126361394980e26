import { describe, expect, it } from 'vitest'
import { prefersJson, screenJson } from './json.ts'

describe('screenJson', () => {
  it('is a problem document', () => {
    expect(JSON.parse(screenJson({ status: 404 }))).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'This page could not be found.',
    })
  })

  it('carries the digest and a title', () => {
    expect(JSON.parse(screenJson({ status: 418, title: 'Teapot', digest: '01JDM3' }))).toEqual({
      type: 'about:blank',
      title: 'Teapot',
      status: 418,
      detail: 'An unexpected error has occurred',
      digest: '01JDM3',
    })
  })
})

describe('prefersJson', () => {
  it.each([
    [null, false],
    ['', false],
    ['*/*', false],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
    ['application/json', true],
    ['application/problem+json', true],
    ['application/json, text/plain, */*', false],
    ['application/json, text/html;q=0.9', true],
    ['application/json;q=0.5, text/html', false],
    ['application/*', true],
    ['application/json;q=0', false],
    ['application/json;q=nonsense', false],
    ['APPLICATION/JSON', true],
    [',;;=,', false],
  ])('%s: %s', (accept, expected) => {
    expect(prefersJson(accept)).toBe(expected)
  })
})
