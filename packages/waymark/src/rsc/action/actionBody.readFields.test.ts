import { describe, expect, test } from 'vitest'
import { type BodyType, parseBodyType, readFields as readFieldsOf } from './actionBody.ts'

const readFields = (bytes: Uint8Array<ArrayBuffer>, contentType: string) =>
  readFieldsOf(bytes, parseBodyType(contentType) as BodyType)

/** Writes a multipart body by hand. */
function bodyOf(boundary: string, count: number): Uint8Array<ArrayBuffer> {
  const part = (at: number) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="f${at}"\r\n\r\nv\r\n`
  const parts = Array.from({ length: count }, (_, at) => part(at))
  return new TextEncoder().encode(`${parts.join('')}--${boundary}--\r\n`)
}

describe('the boundary of a multipart body', () => {
  test.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['Multipart/Form-Data;boundary="a b"', 'a b'],
    ['multipart/form-data; charset=utf-8; boundary=abc; boundary=other', 'abc'],
    ['multipart/form-data; a=";boundary=AAA"; boundary=XXB', 'XXB'],
    ['multipart/form-data; a="\\";boundary=AAA"; boundary=XXB', 'XXB'],
    ['multipart/form-data; boundary="X\\XB"', 'XXB'],
    ['multipart/form-data', null],
    ['multipart/form-data; boundary=', null],
    ['multipart/form-data; boundary="a\\"b"', null],
    [`multipart/form-data; boundary=${'a'.repeat(71)}`, null],
    ['text/plain; boundary=abc', null],
    ['image/png; boundary=abc', null],
    ['', null],
  ])('of %s is %s', (contentType, boundary) => {
    expect(parseBodyType(contentType)?.boundary ?? null).toBe(boundary)
  })
})

describe('the fields of a body', () => {
  test.each([
    'multipart/form-data; boundary=XXB',
    'multipart/form-data; a=";boundary=AAA"; boundary=XXB',
    'multipart/form-data; boundary="X\\XB"',
  ])('are limited to 1,000 parts: %s', async (contentType) => {
    expect([...((await readFields(bodyOf('XXB', 990), contentType)) ?? [])]).toHaveLength(990)
    expect(await readFields(bodyOf('XXB', 1_001), contentType)).toBeNull()
  })

  test('are missing if the header lists several types', async () => {
    const type = 'multipart/form-data; boundary=AAA, multipart/form-data; boundary=XXB'
    expect(await readFields(bodyOf('XXB', 2), type)).toBeNull()
  })

  test('are limited to 1,000 for a urlencoded body, too', async () => {
    const type = 'application/x-www-form-urlencoded'
    const body = (count: number) => new TextEncoder().encode('a=b&'.repeat(count))
    expect([...((await readFields(body(1_000), type)) ?? [])]).toHaveLength(1_000)
    expect(await readFields(body(1_001), type)).toBeNull()
  })
})
