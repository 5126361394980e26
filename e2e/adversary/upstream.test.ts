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
  ['that follows the rule', {}, null],
  ['to a path outside of the rule', { path: '/u1/admin' }, 'path'],
  ['to any path, if the rule allows it', { path: '/u1/admin', isStrict: false }, null],
  ['for another host', { host: 'evil.example' }, 'host'],
  ['with a hop-by-hop header', { headers: ['te'] }, 'te'],
  ['with a forwarding header of the client', { headers: ['forwarded'] }, 'forwarded'],
  ['with an address of a client', { addresses: ['1.2.3.4', '127.0.0.1'] }, 'address'],
  ['with a header that the client listed as hop-by-hop', { headers: ['x-secret'] }, 'x-secret'],
])('the check of a forwarded request %s', (_, change, expected) => {
  expect(wrongForward(request, { ...forwarded, ...change })).toBe(expected)
})

test('a header that the app sets for another server is forwarded', () => {
  const moved = { ...request, target: '/old/a' }
  expect(wrongForward(moved, forwarded)).toBe('x-role')
  const headers = [...forwarded.headers, 'x-role']
  expect(wrongForward(moved, { ...forwarded, headers })).toBe(null)
})
