import { expect, test } from 'vitest'
import type { AttackRequest } from './request.ts'
import { type Forwarded, wrongForward } from './upstream.ts'

const request: AttackRequest = {
  label: 'test',
  method: 'GET',
  target: '/',
  isChunked: false,
  behaviour: 'stays',
  headers: [['connection', 'x-secret, keep-alive']],
  body: { kind: 'none' },
}
const forwarded: Forwarded = {
  request: '1',
  path: '/u1/users/1',
  host: '127.0.0.1:4',
  authority: '127.0.0.1:4',
  headers: ['host', 'connection', 'accept'],
  isStrict: true,
  addresses: ['127.0.0.1', '127.0.0.1'],
}

test.each<readonly [what: string, Partial<Forwarded>, string | null]>([
  ['as the rule says', {}, null],
  ['to a path beside that of the rule', { path: '/u1/admin' }, 'path'],
  ['to any path, where the rule says so', { path: '/u1/admin', isStrict: false }, null],
  ['under the name of another host', { host: 'evil.example' }, 'host'],
  ['with a header of the hop', { headers: ['te'] }, 'te'],
  ['with a forwarding header of the client', { headers: ['forwarded'] }, 'forwarded'],
  ['with an address of a client', { addresses: ['1.2.3.4', '127.0.0.1'] }, 'address'],
  ['with a header that the client listed as hop-by-hop', { headers: ['x-secret'] }, 'x-secret'],
])('a request must not be forwarded %s', (_, change, expected) => {
  expect(wrongForward(request, { ...forwarded, ...change })).toBe(expected)
})

test('a header that the app sets for another server is forwarded', () => {
  const moved = { ...request, target: '/old/a' }
  expect(wrongForward(moved, forwarded)).toBe('x-role')
  const headers = [...forwarded.headers, 'x-role']
  expect(wrongForward(moved, { ...forwarded, headers })).toBe(null)
})
