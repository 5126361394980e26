import { expect, test } from 'vitest'
import { isPrivateAddress, resolveInSource } from './remoteSource.ts'

test.each([
  ['93.184.216.34', false],
  ['2606:2800:220:1::1', false],
  ['10.1.2.3', true],
  ['100.64.0.1', true],
  ['169.254.169.254', true],
  ['172.31.0.1', true],
  ['192.168.1.1', true],
  ['0.0.0.0', true],
  ['255.255.255.255', true],
  ['::1', true],
  ['::', true],
  ['fe80::1', true],
  ['fd00::1', true],
  ['::ffff:127.0.0.1', true],
  ['64:ff9b::7f00:1', true],
  ['2002:7f00:1::', true],
  ['192.88.99.1', true],
  ['192.88.100.1', false],
  ['3fff::1', true],
  ['3fff:fff:ffff::1', true],
  ['3fff:1000::1', false],
])('%s is private: %s', (address, isPrivate) => {
  expect(isPrivateAddress(address)).toBe(isPrivate)
})

test.each([
  ['a/b.jpg?v=1', 'https://cdn.test/up/a/b.jpg?v=1'],
  ['https://cdn.test/up/a.jpg', 'https://cdn.test/up/a.jpg'],
  ['https://cdn.test/upper/a.jpg', null],
  ['https://user@cdn.test/up/a.jpg', null],
  ['http://cdn.test/up/a.jpg', null],
  ['https://cdn.test:8443/up/a.jpg', null],
  ['a/..%2f..%2fsecret', null],
  ['..\\secret', null],
  ['a%00.jpg', null],
  // This path must be refused, because Node 20 doesn't resolve dot segments after a segment that
  // starts with a dot.
  ['https://cdn.test/up/.a/../../secret', null],
  ['https://cdn.test/up/.a/..', null],
])('the path %s of a source resolves to %s', (path, url) => {
  expect(resolveInSource({ url: 'https://cdn.test/up/' }, path)?.href ?? null).toBe(url)
})
