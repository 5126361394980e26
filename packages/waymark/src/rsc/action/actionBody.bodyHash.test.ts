import { expect, test } from 'vitest'
import { type BodyType, bodyHash as hashOf, parseBodyType } from './actionBody.ts'

const bodyHash = (bytes: Uint8Array<ArrayBuffer>, contentType: string) =>
  hashOf(bytes, parseBodyType(contentType) as BodyType)
const multipart = async (fields: Record<string, string | Blob>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  const response = new Response(data)
  const contentType = String(response.headers.get('content-type'))
  return bodyHash(new Uint8Array(await response.arrayBuffer()), contentType)
}
const text = (body: string, contentType = 'text/plain;charset=UTF-8') =>
  bodyHash(Uint8Array.from(Buffer.from(body)), contentType)

test('the same form has the same hash with any boundary', async () => {
  const fields = () => ({ text: 'a', file: new File(['content'], 'a.txt') })
  expect(await multipart(fields())).toBe(await multipart(fields()))
})

test('a form with another name, value, file or part has another hash', async () => {
  const hashes = await Promise.all([
    multipart({ a: 'x' }),
    multipart({ b: 'x' }),
    multipart({ a: 'y' }),
    multipart({ a: new File(['x'], 'x.txt') }),
    multipart({ a: new File(['y'], 'x.txt') }),
    multipart({ a: 'x', b: 'x' }),
    multipart({ b: 'x', a: 'x' }),
  ])
  expect(new Set(hashes).size).toBe(hashes.length)
})

test('any other body is hashed by its bytes', () => {
  expect(text('[1]')).toBe(text('[1]'))
  expect(text('[1]')).not.toBe(text('[2]'))
  expect(text('')).not.toBe(text('[]'))
  const type = 'multipart/form-data; boundary=b'
  expect(text('--bx--by', type)).not.toBe(text('--bxy', type))
})
