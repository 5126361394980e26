import { expect, test } from 'vitest'
import { encodeIdentity, parseIdentity } from './serverIdentity.ts'

test('the identity of a dev server survives the transport', () => {
  const identity = { pid: 123, root: '/home/a "b"/ü' }
  expect(parseIdentity(encodeIdentity(identity))).toEqual(identity)
})

test.each([
  '',
  '<html>',
  'null',
  '[]',
  '{"pid":1}',
  '{"pid":"1","root":"/a"}',
  '{"pid":0,"root":"/a"}',
  '{"pid":-1,"root":"/a"}',
  '{"pid":1.5,"root":"/a"}',
  '{"pid":1,"root":["/a"]}',
])('%s is not the identity of a dev server', (text) => {
  expect(parseIdentity(text)).toBe(null)
})
