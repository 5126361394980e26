import { expect, test } from 'vitest'
import { createIsTrustedPeer } from '../node/request.ts'
import { parsePort, parseProxies } from './commandOptions.ts'

test('proxies are addresses, ranges or names', () => {
  expect(parseProxies('10.1.2.3, 2001:db8::/32')).toEqual(['10.1.2.3', '2001:db8::/32'])
  expect(parseProxies('loopback')).toEqual(['127.0.0.0/8', '::1'])
  expect(parseProxies('private')).toEqual(expect.arrayContaining(['::1', '192.168.0.0/16']))
})

test.each(['', ',', 'all', 'toString', '10.0.0.0/33', '10.0.0.0/', '10.0.0/8', '1.2.3.4/8/8'])(
  '%j is refused',
  (text) => expect(parseProxies(text)).toBeNull(),
)

test('private covers all private addresses, in any notation', () => {
  const isTrusted = createIsTrustedPeer(parseProxies('private') ?? [])
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '::ffff:172.18.0.3', 'fd00::1']) {
    expect(isTrusted(address), address).toBe(true)
  }
  for (const address of ['203.0.113.7', '::ffff:203.0.113.7', '2001:db8::1', undefined]) {
    expect(isTrusted(address), address).toBe(false)
  }
})

test.each([
  ['0', 0],
  ['65535', 65535],
  ['65536', null],
  ['-1', null],
  ['', null],
  ['1e3', null],
])('the port %s', (text, port) => {
  expect(parsePort(text)).toBe(port)
})
