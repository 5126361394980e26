import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { isSameOrigin } from './devSecurity.ts'

test.each<[boolean, Record<string, string>]>([
  [true, { 'sec-fetch-site': 'same-origin' }],
  [true, { 'sec-fetch-site': 'none' }],
  [false, { 'sec-fetch-site': 'cross-site' }],
  [false, { 'sec-fetch-site': 'same-site' }],
  [false, { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' }],
  [true, { origin: 'http://localhost:3000' }],
  [false, { origin: 'http://localhost:3001' }],
  [false, { origin: 'null' }],
  [false, { origin: 'http://evil.example', referer: 'http://localhost:3000/' }],
  [true, { referer: 'http://localhost:3000/a' }],
  [false, { referer: 'http://localhost:30001/a' }],
  [false, { referer: 'http://localhost:3000.evil.example/' }],
  [false, {}],
  [false, { host: 'a b', origin: 'http://a b' }],
])('%s: %j', (expected, headers) => {
  const req = { headers: { host: 'localhost:3000', ...headers }, rawHeaders: [], socket: {} }
  expect(isSameOrigin(req as unknown as IncomingMessage)).toBe(expected)
})
