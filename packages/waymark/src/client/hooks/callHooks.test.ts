import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  importHook,
  joinHooks,
  joinPayloadReaders,
  type ListedHook,
  onlyHook,
} from './callHooks.ts'

const reported = vi.fn()

beforeEach(() => {
  reported.mockReset()
  vi.stubGlobal('reportError', reported)
  return () => void vi.unstubAllGlobals()
})

function hookOf<Hook>(run: Hook, options: object = {}): ListedHook<Hook> {
  return { load: () => run, options }
}

test("hooks get their arguments, followed by their package's options", () => {
  const first = vi.fn()
  const second = vi.fn()
  joinHooks([hookOf(first, { of: 1 }), hookOf(second, { of: 2 })])('event')
  expect(first).toHaveBeenCalledWith('event', { of: 1 })
  expect(second).toHaveBeenCalledWith('event', { of: 2 })
})

const thrown = new Error('broken')
const broken: Readonly<Record<string, () => unknown>> = {
  throws() {
    throw thrown
  },
  rejects: () => Promise.reject(thrown),
}

test.each(Object.keys(broken))(
  'a hook that %s is reported once and not called again',
  async (how) => {
    const run = vi.fn(broken[how])
    const next = vi.fn()
    const call = joinHooks([hookOf(run), hookOf(next)])
    for (let count = 0; count < 3; count++) {
      call()
      await Promise.resolve()
    }
    expect(run).toHaveBeenCalledOnce()
    expect(reported.mock.calls).toEqual([[thrown]])
    expect(next).toHaveBeenCalledTimes(3)
  },
)

test('a failed hook is not called again for its own error report', () => {
  const run = vi.fn(broken.throws)
  const call = joinHooks([hookOf(run)])
  reported.mockImplementation(() => call())
  call()
  expect(run).toHaveBeenCalledOnce()
  expect(reported).toHaveBeenCalledOnce()
})

test('simultaneous failures of a hook are reported once', async () => {
  const call = joinHooks([hookOf(vi.fn(broken.rejects))])
  call()
  call()
  await Promise.resolve()
  expect(reported).toHaveBeenCalledOnce()
})

test('a module that throws disables only its own hooks', async () => {
  const failing = () => Promise.reject(thrown)
  const load = vi.fn(await importHook<() => void>(failing))
  const next = vi.fn()
  const call = joinHooks([{ load, options: {} }, hookOf(next)])
  call()
  call()
  expect(load).toHaveBeenCalledOnce()
  expect(next).toHaveBeenCalledTimes(2)
  expect(reported.mock.calls).toEqual([[thrown]])
})

test('a hook of a single package returns its value until it fails', () => {
  const read = vi.fn(() => 'ada')
  const user = onlyHook(hookOf(read, { key: 1 }))
  expect(user()).toBe('ada')
  expect(read).toHaveBeenCalledWith({ key: 1 })
  read.mockImplementation(() => {
    throw thrown
  })
  expect([user(), user()]).toEqual([undefined, undefined])
  expect(read).toHaveBeenCalledTimes(2)
})

describe('a payload', () => {
  const pieces = ['one', 'two', 'three']
  const payload = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
        controller.close()
      },
    })
  const received = () => {
    const texts: string[] = []
    const decode = (bytes: Uint8Array) => void texts.push(new TextDecoder().decode(bytes))
    return { texts, reader: { chunk: decode, end: () => void texts.push('end') } }
  }

  test('is read by each package', async () => {
    const { texts, reader } = received()
    const read = joinPayloadReaders([hookOf(() => reader), hookOf(() => ({ chunk() {} }))])
    expect(await new Response(read(payload())).text()).toBe('onetwothree')
    expect(texts).toEqual([...pieces, 'end'])
  })

  const readers: Readonly<Record<string, () => { chunk(): void; end?(): void }>> = {
    'when it is created': () => {
      throw thrown
    },
    'at a chunk': () => ({
      chunk() {
        throw thrown
      },
    }),
    'at the end': () => ({
      chunk() {},
      end() {
        throw thrown
      },
    }),
  }

  test.each(Object.keys(readers))('reaches React when a reader throws %s', async (when) => {
    const { texts, reader } = received()
    const create = vi.fn(readers[when])
    const read = joinPayloadReaders([hookOf(create), hookOf(() => reader)])
    for (let count = 0; count < 2; count++) {
      expect(await new Response(read(payload())).text()).toBe('onetwothree')
    }
    expect(texts).toEqual([...pieces, 'end', ...pieces, 'end'])
    expect(create).toHaveBeenCalledOnce()
    expect(reported.mock.calls).toEqual([[thrown]])
  })
})
