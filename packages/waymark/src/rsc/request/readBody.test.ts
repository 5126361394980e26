import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { BodyListener, ServerRequest } from '../../http/response.ts'
import { readBody } from './readBody.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const limits = { maxBytes: 10, withinMs: 1000 }
const bytes = (length: number) => new Uint8Array(length)

/** Creates a request whose body arrives when the test sends it. */
function sending(headers: Readonly<Record<string, string>> = {}, maxBytes = limits.maxBytes) {
  let listener: BodyListener | null = null
  const cancel = vi.fn()
  const request = {
    headers: new Headers(headers),
    openBody: () => ({
      listen: (bodyListener: BodyListener) => {
        listener = bodyListener
      },
      cancel,
    }),
  }
  const reading = readBody(request as unknown as ServerRequest, { ...limits, maxBytes })
  if (!listener) throw new Error('Nobody reads the body.')
  return { reading, cancel, body: listener as BodyListener }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('pieces are joined to one body', async () => {
  const { reading, body } = sending({ 'content-length': '7' })
  body.piece(bytes(3))
  body.piece(bytes(4))
  body.end()
  const read = await reading
  expect(read.kind === 'body' && read.bytes.byteLength).toBe(7)
  expect(vi.getTimerCount()).toBe(0)
})

test('many one-byte pieces take little more memory than their bytes', async () => {
  const { reading, body } = sending({}, 1_000)
  const sent: WeakRef<Uint8Array>[] = []
  for (let at = 0; at < 1_000; at++) {
    const piece = bytes(1).fill(at % 256)
    sent.push(new WeakRef(piece))
    body.piece(piece)
  }
  vi.useRealTimers()
  // Wait for the next task, because an object that was just created can't be collected before its task ends.
  await new Promise((resolve) => setTimeout(resolve))
  collectGarbage()
  expect(sent.filter((piece) => piece.deref()).length).toBeLessThan(200)
  body.end()
  const read = await reading
  const all = read.kind === 'body' ? [...read.bytes] : []
  expect(all).toEqual(Array.from({ length: 1_000 }, (_, at) => at % 256))
})

test('a body that is cut off, or shorter than its content-length, is malformed', async () => {
  const cut = sending()
  cut.body.piece(bytes(3))
  cut.body.fail()
  expect(await cut.reading).toEqual({ kind: 'malformed' })
  const short = sending({ 'content-length': '7' })
  short.body.piece(bytes(3))
  short.body.end()
  expect(await short.reading).toEqual({ kind: 'malformed' })
})

test('a body that keeps arriving is never cut, and one that stalls is', async () => {
  const { reading, cancel, body } = sending({}, 100_000)
  for (let seconds = 0; seconds < 10; seconds++) {
    body.piece(bytes(5_000))
    vi.advanceTimersByTime(900)
  }
  body.end()
  expect((await reading).kind).toBe('body')
  expect(cancel).not.toHaveBeenCalled()
  const stalled = sending({}, 100_000)
  stalled.body.piece(bytes(50_000))
  vi.advanceTimersByTime(limits.withinMs)
  expect(await stalled.reading).toEqual({ kind: 'too-slow' })
})

test('a body of one byte at a time is too slow', async () => {
  const { reading, body } = sending({}, 100_000)
  for (let at = 0; at < 11; at++) {
    body.piece(bytes(1))
    vi.advanceTimersByTime(100)
  }
  expect(await reading).toEqual({ kind: 'too-slow' })
})

describe('a body that is refused', () => {
  test('for its length is read for a while, and then cancelled', async () => {
    const { reading, cancel, body } = sending()
    body.piece(bytes(11))
    expect(await reading).toEqual({ kind: 'too-large' })
    body.piece(bytes(900_000))
    expect(cancel).not.toHaveBeenCalled()
    body.piece(bytes(200_000))
    expect(cancel).toHaveBeenCalled()
  })

  test('for its slowness leaves time for the response', async () => {
    const { reading, cancel, body } = sending()
    body.piece(bytes(3))
    vi.advanceTimersByTime(limits.withinMs)
    expect(await reading).toEqual({ kind: 'too-slow' })
    expect(cancel).not.toHaveBeenCalled()
    vi.advanceTimersByTime(5000)
    expect(cancel).toHaveBeenCalledOnce()
  })

  test('is not cancelled once it has ended', async () => {
    const { reading, cancel, body } = sending()
    body.piece(bytes(11))
    body.end()
    await reading
    expect(vi.getTimerCount()).toBe(0)
    expect(cancel).not.toHaveBeenCalled()
  })
})
