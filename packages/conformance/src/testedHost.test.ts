import { expect, test } from 'vitest'
import { parseResponse } from './testedHost.ts'

test('a response has a status, headers and a body', () => {
  const bytes = Buffer.from(
    'HTTP/1.1 404 Not Found\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\n\r\ntext',
  )
  const { status, headers, text } = parseResponse(bytes)
  expect([status, headers.getSetCookie(), text]).toEqual([404, ['a=1', 'b=2'], 'text'])
})

test('bytes that are no response are an error', () => {
  expect(() => parseResponse(Buffer.from('nothing'))).toThrow('This is no HTTP response: nothing')
})
