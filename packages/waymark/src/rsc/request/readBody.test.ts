import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { BodyListener, ServerRequest } from '../../http/response.ts'
import { readBody } from './readBody.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const limits = { maxBytes: 10, withinMs: 1000 }
const bytes = (length: number) => new Uint8Array(length)

/** A request whose body arrives as the test says. */
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
  if (!listener) throw new Error('Nobody listens to the body.')
  return { reading, cancel, body: listener as BodyListener }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('pieces are one body', async () => {
  const { reading, body } = sending({ 'content-length': '7' })
  body.piece(bytes(3))
  body.piece(bytes(4))
  body.end()
  const read = await reading
  expect(read.kind === 'body' && read.bytes.byteLength).toBe(7)
  expect(vi.getTimerCount()).toBe(0)
})

test('many pieces of a byte take no more room than their bytes', async () => {
  const { reading, body } = sending({}, 1_000)
  const sent: WeakRef<Uint8Array>[] = []
  for (let at = 0; at < 1_000; at++) {
    const piece = bytes(1).fill(at % 256)
    sent.push(new WeakRef(piece))
    body.piece(piece)
  }
  vi.useRealTimers()
  // A reference that was just made lasts until the end of its task.
  await new Promise((resolve) => setTimeout(resolve))
  collectGarbage()
  expect(sent.filter((piece) => piece.deref()).length).toBeLessThan(200)
  body.end()
  const read = await reading
  const all = read.kind === 'body' ? [...read.bytes] : []
  expect(all).toEqual(Array.from({ length: 1_000 }, (_, at) => at % 256))
})

test('a body that is cut, or shorter than it says, is malformed', async () => {
  const cut = sending()
  cut.body.piece(bytes(3))
  cut.body.fail()
  expect(await cut.reading).toEqual({ kind: 'malformed' })
  const short = sending({ 'content-length': '7' })
  short.body.piece(bytes(3))
  short.body.end()
  expect(await short.reading).toEqual({ kind: 'malformed' })
})

describe('a body that is refused', () => {
  test('for its length is taken on for a while, and then cut', async () => {
    const { reading, cancel, body } = sending()
    body.piece(bytes(11))
    expect(await reading).toEqual({ kind: 'too-large' })
    body.piece(bytes(900_000))
    expect(cancel).not.toHaveBeenCalled()
    body.piece(bytes(200_000))
    expect(cancel).toHaveBeenCalled()
  })

  test('for its slowness leaves its connection the time for an answer', async () => {
    const { reading, cancel, body } = sending()
    body.piece(bytes(3))
    vi.advanceTimersByTime(limits.withinMs)
    expect(await reading).toEqual({ kind: 'too-slow' })
    expect(cancel).not.toHaveBeenCalled()
    vi.advanceTimersByTime(5000)
    expect(cancel).toHaveBeenCalledOnce()
  })

  test('is not cut once it has ended', async () => {
    const { reading, cancel, body } = sending()
    body.piece(bytes(11))
    body.end()
    await reading
    expect(vi.getTimerCount()).toBe(0)
    expect(cancel).not.toHaveBeenCalled()
  })
})
