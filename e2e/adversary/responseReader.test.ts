import { expect, test } from 'vitest'
import { createResponseReader } from './responseReader.ts'

const head = 'HTTP/1.1 200 OK\r\n'

test.each([
  ['with a length', `${head}content-length: 5\r\n\r\nhello`, 'hello'],
  [
    'in chunks',
    `${head}transfer-encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n`,
    'hello',
  ],
  ['after another head', `HTTP/1.1 100 Continue\r\n\r\n${head}content-length: 1\r\n\r\na`, 'a'],
  ['without a body', 'HTTP/1.1 204 No Content\r\n\r\n', ''],
])('a response %s is complete with its last byte, and not earlier', (_, text, body) => {
  const reader = createResponseReader('GET')
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length - 1; at++) {
    expect(reader.push(bytes.subarray(at, at + 1))).toBe(false)
  }
  expect(reader.push(bytes.subarray(-1))).toBe(true)
  expect(reader.read()?.text).toBe(body)
  expect(reader.isReusable()).toBe(true)
})

test('a response to HEAD has no body', () => {
  const reader = createResponseReader('HEAD')
  expect(reader.push(Buffer.from(`${head}content-length: 5\r\n\r\n`))).toBe(true)
})

test("a response without a length ends with its connection, which can't be used again", () => {
  const reader = createResponseReader('GET')
  expect(reader.push(Buffer.from(`${head}connection: close\r\n\r\nhel`))).toBe(false)
  expect(reader.end()).toBe(true)
  expect(reader.read()?.text).toBe('hel')
  expect(reader.isReusable()).toBe(false)
})

test('a response that is cut is incomplete, and the received part can be read', () => {
  const reader = createResponseReader('GET')
  reader.push(Buffer.from(`${head}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nwor`))
  expect(reader.end()).toBe(false)
  expect(reader.read()?.text).toContain('hello')
  expect(reader.read()?.text).toContain('wor')
})

test('bytes after a response make its connection unusable', () => {
  const reader = createResponseReader('GET')
  expect(reader.push(Buffer.from(`${head}content-length: 1\r\n\r\nabc`))).toBe(true)
  expect(reader.read()?.text).toContain('a')
  expect(reader.isReusable()).toBe(false)
})
