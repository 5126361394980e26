import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { type LocalClient, refuseOtherClients } from './devSecurity.ts'

const sameOrigin = { 'sec-fetch-site': 'same-origin' }
const otherSite = { 'sec-fetch-site': 'cross-site', origin: 'http://evil.example' }
const rebound = { host: 'evil.example:3000', 'sec-fetch-site': 'same-origin' }

test.each<[LocalClient, string, Record<string, string>, 'served' | 'refused']>([
  ['browser', '127.0.0.1', {}, 'served'],
  ['browser', '::1', otherSite, 'served'],
  ['browser', '::ffff:127.0.0.1', {}, 'served'],
  ['browser', '192.168.0.7', sameOrigin, 'refused'],
  ['page', '127.0.0.1', sameOrigin, 'served'],
  ['page', '127.0.0.1', {}, 'refused'],
  ['page', '127.0.0.1', otherSite, 'refused'],
  ['page', '192.168.0.7', sameOrigin, 'refused'],
  ['program', '127.0.0.1', {}, 'served'],
  ['program', '::1', { host: '[::1]:3000' }, 'served'],
  ['program', '127.0.0.1', sameOrigin, 'served'],
  ['program', '127.0.0.1', otherSite, 'refused'],
  ['program', '127.0.0.1', { origin: 'null' }, 'refused'],
  ['program', '127.0.0.1', rebound, 'refused'],
  ['program', '192.168.0.7', {}, 'refused'],
])('for a %s: from %s with %j, %s', (client, remoteAddress, headers, expected) => {
  const sent = { headers: { host: 'localhost:3000', ...headers }, rawHeaders: [] }
  const req = { ...sent, socket: { remoteAddress } } as unknown as IncomingMessage
  const response = refuseOtherClients(req, client)
  expect(response?.status ?? 200).toBe(expected === 'served' ? 200 : 403)
})
