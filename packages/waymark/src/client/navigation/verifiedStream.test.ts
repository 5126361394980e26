import { expect, test, vi } from 'vitest'
import { crc32, writeChecksumTrailer } from '../../shared/checksum.ts'
import { verifyStream } from './verifiedStream.ts'

const encoder = new TextEncoder()
const text = '0:{"a":"#"}\n1:{"b":"grün"}\n#2:x\n'
const whole = (() => {
  const bytes = encoder.encode(text)
  return new Uint8Array([...bytes, ...encoder.encode(writeChecksumTrailer(crc32(bytes)))])
})()

/** A body in pieces of one size. */
function bodyOf(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) {
        controller.enqueue(bytes.slice(at, at + size))
      }
      controller.close()
    },
  })
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let read = ''
  for await (const piece of stream as unknown as AsyncIterable<Uint8Array>) {
    read += decoder.decode(piece, { stream: true })
  }
  return read
}

test.each([1, 2, 7, 10, 11, 1000])('passes on all but the mark, in pieces of %i', async (size) => {
  const onProgress = vi.fn()
  const verified = verifyStream(bodyOf(whole, size), onProgress)
  expect(await readAll(verified.stream)).toBe(text)
  await verified.whole
  expect(onProgress).toHaveBeenCalledTimes(Math.ceil(whole.length / size))
})

test('a cut at any byte is found', async () => {
  for (let length = 0; length < whole.length; length++) {
    const { whole: verdict } = verifyStream(bodyOf(whole.slice(0, length), 5), () => {})
    await expect(verdict, `cut at ${length}`).rejects.toThrow('cut or changed')
  }
})

test('a changed byte is found, wherever it is', async () => {
  for (let at = 0; at < whole.length; at++) {
    const changed = whole.slice()
    changed[at] = (changed[at] ?? 0) ^ 1
    const { whole: verdict } = verifyStream(bodyOf(changed, 5), () => {})
    await expect(verdict, `changed at ${at}`).rejects.toThrow('cut or changed')
  }
})

test('what is cut does not err for its reader: it does not go on', async () => {
  const verified = verifyStream(bodyOf(whole.slice(0, 20), 5), () => {})
  await verified.whole.catch(() => {})
  const reader = verified.stream.getReader()
  let read = 0
  const pieces = (async () => {
    while (true) {
      const { value, done } = await reader.read()
      if (done) return 'ended'
      read += value.length
    }
  })()
  const silence = new Promise((resolve) => setTimeout(() => resolve('silent'), 20))
  expect(await Promise.race([pieces, silence])).toBe('silent')
  expect(read).toBeGreaterThan(0)
})
