import { describe, expect, it } from 'vitest'
import { prefersJson } from './accept.ts'

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
