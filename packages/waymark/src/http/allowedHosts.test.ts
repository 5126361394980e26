import { expect, test } from 'vitest'
import { createHostCheck, parseAllowedHost } from './allowedHosts.ts'

const yes = true
const no = false

test.each([
  ['example.com', 'https://example.com', yes],
  ['example.com', 'http://example.com', yes],
  ['example.com', 'https://example.com:8443', yes],
  ['Example.COM', 'https://example.com', yes],
  ['example.com', 'https://www.example.com', no],
  ['example.com', 'https://example.com.evil.test', no],
  ['example.com', 'https://example.com.', no],
  ['example.com', 'https://evil-example.com', no],
  ['*.example.com', 'https://a.example.com', yes],
  ['*.example.com', 'https://a.b.example.com', yes],
  ['*.example.com', 'https://example.com', no],
  ['*.example.com', 'https://evilexample.com', no],
  ['*.example.com', 'https://example.com.evil.test', no],
  ['example.com:8443', 'https://example.com:8443', yes],
  ['example.com:8443', 'https://example.com', no],
  ['example.com:443', 'https://example.com', yes],
  ['example.com:443', 'http://example.com', no],
  ['example.com:80', 'http://example.com', yes],
  ['*.example.com:8443', 'https://a.example.com:8443', yes],
  ['*.example.com:8443', 'https://a.example.com', no],
  ['10.0.0.5', 'http://10.0.0.5:3000', yes],
  ['10.0.0.5', 'http://10.0.0.50', no],
  ['[::1]:3000', 'http://[::1]:3000', yes],
  ['[::1]', 'http://[::1]:3000', yes],
  ['münchen.de', 'https://xn--mnchen-3ya.de', yes],
])('%s allows %s: %s', (entry, origin, expected) => {
  const isAllowed = createHostCheck(['other.test', entry])
  expect([isAllowed(origin), isAllowed(origin)]).toEqual([expected, expected])
})

test.each([
  '',
  '*',
  '*.',
  '*example.com',
  'a.*.com',
  'https://example.com',
  'example.com/path',
  'user@example.com',
  'example.com:port',
  'exa mple.com',
  '*.10.0.0.1',
  '*.[::1]',
])('%j is not a host', (entry) => {
  expect(parseAllowedHost(entry)).toBe(null)
})
