import { describe, expect, test } from 'vitest'
import { readFields } from './actionBody.ts'
import { createFilePartFilter } from './filePartFilter.ts'
import type { FileRules } from './fileRules.ts'

const boundary = '----WebKitFormBoundaryAb1'
const rules: FileRules = { photo: { maxBytes: 100 }, papers: { maxBytes: 50, maxFiles: 2 } }

async function encode(fields: FormData): Promise<Uint8Array<ArrayBuffer>> {
  const encoded = new Response(fields)
  const encodedBoundary =
    /boundary=(.*)$/.exec(encoded.headers.get('content-type') ?? '')?.[1] ?? ''
  const text = Buffer.from(await encoded.arrayBuffer()).toString('latin1')
  return new Uint8Array(Buffer.from(text.replaceAll(encodedBoundary, boundary), 'latin1'))
}

/** Passes a body through the filter in pieces of one size. */
function filterBody(body: Uint8Array<ArrayBuffer>, pieceBytes: number): Uint8Array<ArrayBuffer> {
  const { filter, flush } = createFilePartFilter(boundary, rules)
  const filtered: Uint8Array[] = []
  for (let at = 0; at < body.byteLength; at += pieceBytes) {
    filtered.push(filter(body.slice(at, at + pieceBytes)))
  }
  filtered.push(flush())
  return new Uint8Array(Buffer.concat(filtered))
}

const read = (bytes: Uint8Array<ArrayBuffer>) =>
  readFields(bytes, { kind: 'multipart', boundary }).then((fields) => [...(fields ?? [])])

const sizes = [1, 2, 3, 7, 40, 64, 1_000, 100_000]

describe.each(sizes)('in pieces of %i bytes', (pieceBytes) => {
  test('a body within the limits stays the same', async () => {
    const fields = new FormData()
    fields.append('name', 'Ada\r\n--x')
    fields.append('photo', new File([new Uint8Array(100).fill(13)], 'a.png'))
    fields.append('papers', new File(['\r\n--', '\r\n------WebKitFormBoundaryAb'], 'a.pdf'))
    fields.append('other', new File(['x'.repeat(500)], 'a'))
    const body = await encode(fields)
    expect(Buffer.from(filterBody(body, pieceBytes)).equals(Buffer.from(body))).toBe(true)
  })

  test('the bytes of a large file are dropped, and the fields after it stay', async () => {
    const fields = new FormData()
    fields.append('photo', new File(['x'.repeat(5_000)], 'a.png'))
    fields.append('_1_photo', new File(['y'.repeat(5_000)], 'a.png'))
    for (let at = 0; at < 4; at++) fields.append('papers', new File(['z'.repeat(70)], `${at}`))
    fields.append('photo', 'w'.repeat(300))
    fields.append('name', 'Ada')
    const filtered = filterBody(await encode(fields), pieceBytes)
    const parts = (await read(filtered)).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.length : value.size,
    ])
    expect(parts).toEqual([
      ['photo', 101],
      // The second file of the field, because React's number isn't a part of the name.
      ['_1_photo', 1],
      ['papers', 51],
      ['papers', 51],
      ['papers', 1],
      ['papers', 1],
      ['photo', 300],
      ['name', 3],
    ])
  })

  test('bytes that are no multipart body stay the same', () => {
    const bodies = [
      '',
      '\r\n',
      'x',
      `--${boundary}--\r\n`,
      `--${boundary}`,
      `x\r\n--${boundary}\r\n`,
    ]
    for (const text of [...bodies, 'x'.repeat(40_000), `--${boundary}${'y'.repeat(40_000)}`]) {
      const body = new Uint8Array(Buffer.from(text))
      expect(Buffer.from(filterBody(body, pieceBytes)).toString()).toBe(text)
    }
  })
})

test('a name that contains the word filename is not taken for a file', () => {
  const head = 'content-disposition: form-data; name="photo; filename=x"\r\n\r\n'
  const text = `--${boundary}\r\n${head}${'x'.repeat(500)}\r\n--${boundary}--\r\n`
  const body = new Uint8Array(Buffer.from(text))
  expect(Buffer.from(filterBody(body, 64)).toString()).toBe(text)
})

test('a head that arrives byte by byte takes little time', () => {
  const { filter } = createFilePartFilter(boundary, rules)
  filter(Buffer.from(`--${boundary}`))
  const startedAtMs = performance.now()
  for (let part = 0; part < 10; part++) {
    for (let at = 0; at < 16_000; at++) filter(Buffer.from('x'))
    filter(Buffer.from(`\r\n\r\n\r\n--${boundary}`))
  }
  expect(performance.now() - startedAtMs).toBeLessThan(1_000)
})
