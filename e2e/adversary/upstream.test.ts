import { expect, test } from 'vitest'
import type { AttackRequest } from './request.ts'
import { type Forwarded, wrongForward } from './upstream.ts'

const request: AttackRequest = {
  ...{ label: 'test', method: 'GET', target: '/', isChunked: false, behaviour: 'stays' },
  headers: [['connection', 'x-secret, keep-alive']],
  body: { kind: 'none' },
}
const forwarded: Forwarded = {
  ...{ request: '1', path: '/u1/users/1', host: '127.0.0.1:4', authority: '127.0.0.1:4' },
  ...{ headers: ['host', 'connection', 'accept'], isStrict: true },
}

test.each<readonly [what: string, Partial<Forwarded>, string | null]>([
  ['as the rule says', {}, null],
  ['to a path beside that of the rule', { path: '/u1/admin' }, 'path'],
  ['to any path, where the rule says so', { path: '/u1/admin', isStrict: false }, null],
  ['under the name of another host', { host: 'evil.example' }, 'host'],
  ['with a header of the hop', { headers: ['te'] }, 'te'],
  ['with one that the client named as such', { headers: ['x-secret'] }, 'x-secret'],
])('a request is forwarded %s', (_, change, expected) => {
  expect(wrongForward(request, { ...forwarded, ...change })).toBe(expected)
})
