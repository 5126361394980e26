import { expect, test, vi } from 'vitest'
import { createByteChannel } from '../../http/stream.ts'
import { createFrameReader, maxFrameBytes } from '../../wire/frames.ts'
import { flightBody, wholeFlightBody } from './flight.ts'

// Mock React's runtime, because it needs a bundler and isn't under test.
vi.mock('@vitejs/plugin-rsc/rsc.node', () => ({}))

const row = (id: number, length: number) => `${id}:"${'x'.repeat(length)}"\n`

/** Returns the content of each frame in a body. */
function partsOf(body: Uint8Array): string[] {
  const reader = createFrameReader()
  const parts = reader.read(body).map((part) => Buffer.from(part).toString())
  expect(reader.state()).toBe('ended')
  return parts
}

test('a streamed page has one frame for each flush', async () => {
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
  // Flush without new content, for which no frame is written.
  flush()
  write(row(3, 6))
  destination.end()
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  expect(partsOf(Buffer.concat(chunks))).toEqual([row(0, 3), row(1, 4) + row(2, 5), row(3, 6)])
})

test('a small payload is one frame, and a large one is cut when a frame is full', () => {
  expect(partsOf(wholeFlightBody({ pieces: ['1:T5,a\n2:b', row(3, 90)] }))).toEqual([
    `1:T5,a\n2:b${row(3, 90)}`,
  ])
  const parts = partsOf(wholeFlightBody({ pieces: [row(0, 10_000), row(1, 30_000)] }))
  expect(parts.map(({ length }) => length)).toEqual([maxFrameBytes, maxFrameBytes, 7_242])
  expect(parts.join('')).toBe(row(0, 10_000) + row(1, 30_000))
})
