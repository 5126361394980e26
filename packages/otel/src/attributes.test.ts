import { expect, test } from 'vitest'
import type { ServerRequest } from 'waymark/plugin'
import { errorType, requestAttributes } from './attributes.ts'

const unnamed = Object.assign(new Error('no name'), { name: undefined })
const guarded = Object.defineProperty(new Error('guarded'), 'name', {
  get() {
    throw new Error('unreadable')
  },
})
const revoked = Proxy.revocable({}, {})
revoked.revoke()

test.each<[string, unknown, string]>([
  ['an error', new TypeError('text'), 'TypeError'],
  ['an error without a name', unnamed, 'Error'],
  ['an error whose name throws', guarded, 'Error'],
  ['a revoked proxy', revoked.proxy, 'Error'],
  ['a string', 'text', 'string'],
  [
    'an error with a long name',
    Object.assign(new Error(), { name: 'x'.repeat(200) }),
    'x'.repeat(100),
  ],
])('the type of %s', (_what, thrown, type) => {
  expect(errorType(thrown)).toBe(type)
})

const requestOf = (method: string) =>
  ({ method, target: '/a?token=secret', origin: 'https://example.com' }) as ServerRequest

test('a request has no attribute of its query', () => {
  expect(JSON.stringify(requestAttributes(requestOf('GET')))).not.toContain('secret')
})

test.each([
  ['QUERYX', '_OTHER'],
  ['PATCH', 'PATCH'],
])('a request with the method %s has the attribute %s', (method, attribute) => {
  expect(requestAttributes(requestOf(method))['http.request.method']).toBe(attribute)
})
