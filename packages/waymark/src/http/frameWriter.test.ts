import { expect, test } from 'vitest'
import { createFrameReader, isHeartbeat, maxFrameBytes, readFrames } from '../wire/frames.ts'
import { createFrameWriter } from './frameWriter.ts'

const bytesOf = (buffer: Buffer) => new Uint8Array(buffer)
const written = (...pieces: string[]) => bytesOf(createFrameWriter().write(pieces, true))
const textOf = (bytes: Uint8Array | null) => bytes && new TextDecoder().decode(bytes)

test('a payload in one frame has this format', () => {
  expect(textOf(written('0:"a"\n'))).toBe('00000006\n0:"a"\n#b3a83aa1\n')
})

test.each([
  ['', 1],
  ['0:"grün"\n', 1],
  ['x'.repeat(maxFrameBytes), 1],
  ['x'.repeat(maxFrameBytes + 1), 2],
  ['ü'.repeat(maxFrameBytes), 2],
  ['#00000000\n=00000000\n'.repeat(5_000), 7],
])('a payload is restored from its frames: %.20s', (text, count) => {
  const bytes = written(text)
  expect(textOf(readFrames(bytes))).toBe(text)
  expect(createFrameReader().read(bytes)).toHaveLength(count)
})

test('a payload that was truncated or changed at any byte is refused', () => {
  const bytes = written('0:{"a":"$1"}\n', '1:"b"\n')
  for (let at = 0; at < bytes.length; at++) {
    expect(readFrames(bytes.slice(0, at)), `cut at ${at}`).toBeNull()
    for (let bit = 0; bit < 8; bit++) {
      const changed = bytes.slice()
      changed[at] = (changed[at] ?? 0) ^ (1 << bit)
      expect(readFrames(changed), `changed at ${at}`).toBeNull()
    }
  }
  expect(readFrames(new Uint8Array([...bytes, 10]))).toBeNull()
  expect(readFrames(new Uint8Array([...bytes, ...bytes]))).toBeNull()
})

test('a frame without content is a heartbeat, and counts for the next checksum', () => {
  const writer = createFrameWriter()
  const heartbeat = writer.write([], false)
  const two = Buffer.concat([heartbeat, writer.write([], false)])
  expect([isHeartbeat(heartbeat), isHeartbeat(two)]).toEqual([true, true])
  const end = writer.write(['0:1\n'], true)
  expect(isHeartbeat(end)).toBe(false)
  expect(textOf(readFrames(bytesOf(Buffer.concat([two, end]))))).toBe('0:1\n')
  expect(readFrames(bytesOf(Buffer.concat([heartbeat, end])))).toBeNull()
})

test.each(['', '00000000\n=0000000g\n', '00000000\n#00000000\n', '1:"a"\n'])(
  'another chunk is not a heartbeat: %j',
  (text) => {
    expect(isHeartbeat(new TextEncoder().encode(text))).toBe(false)
  },
)
