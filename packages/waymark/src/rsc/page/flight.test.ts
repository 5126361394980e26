import { expect, test, vi } from 'vitest'
import { createByteChannel } from '../../http/stream.ts'
import { crc32, isChecksumRow, writeChecksumTrailer } from '../../wire/checksum.ts'
import { flightBody, wholeFlightBody } from './flight.ts'

// React's own runtime is not under test, and needs a bundler.
vi.mock('@vitejs/plugin-rsc/rsc.node', () => ({}))

const row = (id: number, length: number) => `${id}:"${'x'.repeat(length)}"\n`

/** @returns the length of each part that a checksum row of the body covers */
function verifiableParts(body: Uint8Array): number[] {
  const parts: number[] = []
  let partStart = 0
  for (let end = body.indexOf(10) + 1; end > 0; end = body.indexOf(10, end) + 1) {
    const checksum = crc32(body.subarray(0, Math.max(0, end - 20)))
    if (!isChecksumRow(body.subarray(end - 20, end), checksum)) continue
    parts.push(end - 20 - partStart)
    partStart = end
  }
  return parts
}

test('a page that streams has a checksum after each flush', async () => {
  const { destination, ...channel } = createByteChannel()
  const { write, flush } = destination as unknown as {
    write(piece: string): void
    flush(): void
  }
  write(row(0, 3))
  flush()
  const body = flightBody({ channel: { destination, ...channel }, abandon() {} })
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) throw new Error()
  write(row(1, 4))
  write(row(2, 5))
  flush()
  // Nothing new to verify.
  flush()
  write(row(3, 6))
  destination.end()
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  expect(verifiableParts(bytes)).toEqual([row(0, 3).length, row(1, 4).length + row(2, 5).length])
  expect(bytes.toString().endsWith(writeChecksumTrailer(crc32(bytes.subarray(0, -10))))).toBe(true)
})

test('a small payload has its end mark only', () => {
  const text = row(0, 20_000)
  const body = Buffer.from(wholeFlightBody({ pieces: [text] })).toString()
  expect(body).toBe(text + writeChecksumTrailer(crc32(Buffer.from(text))))
})

test('a large payload has a checksum between rows, each 16 kB and more', () => {
  const text = '1:T5,a\n2:b'
  const pieces = [row(0, 10_000), text, row(3, 10_000), row(4, 30_000), row(5, 100)]
  const body = wholeFlightBody({ pieces })
  expect(verifiableParts(body)).toEqual([20_000 + text.length + 10, 30_005])
  const rows = Buffer.from(body).toString().slice(0, -10)
  expect(rows.replace(/7d[\da-f]{6}:"[\da-f]{8}"\n/g, '')).toBe(pieces.join(''))
})

test('a large payload with rows of unknown form has its end mark only', () => {
  const text = `${row(0, 40_000)}and so on`
  const body = Buffer.from(wholeFlightBody({ pieces: [text] })).toString()
  expect(body).toBe(text + writeChecksumTrailer(crc32(Buffer.from(text))))
})
