import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { forbidden, unauthorized } from 'waymark'
import type { StreamEvent } from '../shared/streamEvents.ts'
import {
  type StreamContext,
  type StreamFunction,
  type StreamOptions,
  stream,
} from './streamHandler.ts'

// Replace the core, which exists only in a built app. `e2e/streams.test.ts` tests streams with the real
// core.
const core = vi.hoisted(() => {
  const reported: unknown[] = []
  const reportError = (thrown: unknown) => `digest-${reported.push(thrown)}`
  return { reported, client: null as string | null, request: { reportError } }
})

vi.mock('waymark/plugin/server', () => ({
  clientNetwork: () => core.client,
  currentRequest: () => core.request,
  signalStatus: (thrown: unknown) => Object(thrown).signal?.status ?? null,
}))

afterEach(() => {
  vi.useRealTimers()
  core.reported.length = 0
})

const url = 'http://site.test/events'

function open(
  run: StreamFunction,
  options: StreamOptions & { headers?: HeadersInit; url?: string } = {},
) {
  const leaving = new AbortController()
  const request = new Request(options.url ?? url, {
    headers: options.headers ?? {},
    signal: leaving.signal,
  })
  const responding = stream(run, options)(request, { params: Promise.resolve({}) })
  return { responding, leave: () => leaving.abort() }
}

const textOf = async (run: StreamFunction, options?: Parameters<typeof open>[1]) =>
  (await open(run, options).responding).text()

async function* count(): AsyncGenerator<StreamEvent> {
  yield { id: 1, data: 'a' }
  yield { id: 2, event: 'added', data: 'b' }
}

/** Waits until its signal aborts. */
const untilGone = ({ signal }: StreamContext) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))

async function readPiece(response: Response): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const { value } = await reader.read()
  reader.releaseLock()
  return new TextDecoder().decode(value)
}

test('it sends the events, then the end event', async () => {
  const response = await open(count).responding
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(response.headers.get('cache-control')).toContain('no-store')
  expect(await response.text()).toMatch(
    /^retry: \d{4}\n\nid: 1\ndata: "a"\n\nid: 2\nevent: added\ndata: "b"\n\nevent: end\ndata: \{\}\n\n$/,
  )
})

test.each<[string, Parameters<typeof open>[1], string | null]>([
  ['nothing', {}, null],
  ['the header', { headers: { 'last-event-id': '7' } }, '7'],
  ['the parameter', { url: `${url}?lastEventId=p-8` }, 'p-8'],
  ['both', { url: `${url}?lastEventId=8`, headers: { 'last-event-id': '9' } }, '9'],
])('the position of a client is in %s', async (_, options, since) => {
  const positions: unknown[] = []
  await textOf(async function* (_request, context) {
    positions.push(context.since)
    yield { data: 1 }
  }, options)
  expect(positions).toEqual([since])
})

test.each(['x'.repeat(201), 'a b', 'ü', '\u0000', 'a\nb'])(
  'an invalid position: %j',
  async (position) => {
    const run = vi.fn(count)
    const { responding } = open(run, { url: `${url}?lastEventId=${encodeURIComponent(position)}` })
    expect((await responding).status).toBe(400)
    expect(run).not.toHaveBeenCalled()
  },
)

test('a refusal before the first event is thrown, so that it sets the status', async () => {
  const refused = open(async function* () {
    unauthorized()
    yield { data: 1 }
  })
  await expect(refused.responding).rejects.toThrow('401')
  const checked = open(async () => {
    await sleep(600)
    forbidden()
  })
  await expect(checked.responding).rejects.toThrow('403')
})

test('a later refusal is sent as an event with the status', async () => {
  const text = await textOf(async function* () {
    yield { data: 1 }
    unauthorized()
  })
  expect(text).toMatch(/event: end\ndata: \{"status":401\}\n\n$/)
})

test('the response begins although the handler has no event yet', async () => {
  vi.useFakeTimers()
  const { responding, leave } = open(async function* (_, context) {
    await untilGone(context)
    yield { data: 1 }
  })
  await vi.advanceTimersByTimeAsync(500)
  const response = await responding
  expect(await readPiece(response)).toMatch(/^retry: /)
  const waiting = readPiece(response)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(await waiting).toBe(':\n\n')
  leave()
})

test('an error reveals nothing but its digest', async () => {
  const text = await textOf(async function* () {
    yield { data: 1 }
    throw new Error('secret')
  })
  expect(text).toMatch(/event: end\ndata: \{"digest":"digest-1"\}\n\n$/)
  expect(text).not.toContain('secret')
  expect(core.reported).toEqual([new Error('secret')])
})

test.each<[string, unknown]>([
  ['that is too large', { data: 'x'.repeat(70_000) }],
  ['with an invalid id', { id: 'a\nb' }],
  ['that is not JSON', { data: 1n }],
])('an event %s ends the stream and the handler', async (_, event) => {
  const onFinally = vi.fn()
  const text = await textOf(async function* () {
    try {
      yield event as StreamEvent
      yield { data: 'more' }
    } finally {
      onFinally()
    }
  })
  expect(text).toMatch(/^retry: \d+\n\nevent: end\ndata: \{"digest":"digest-1"\}\n\n$/)
  expect(onFinally).toHaveBeenCalledOnce()
})

test('a function that returns no async iterable throws', async () => {
  const { responding } = open((() => 1) as unknown as StreamFunction)
  await expect(responding).rejects.toThrow('async generator')
})

test('the handler is asked for an event only when the client reads', async () => {
  let yielded = 0
  const { responding } = open(async function* () {
    for (;;) yield { data: yielded++ }
  })
  const response = await responding
  await sleep(5)
  expect(yielded).toBe(1)
  for (let pieces = 0; pieces < 4; pieces++) await readPiece(response)
  await sleep(5)
  expect(yielded).toBe(3)
  await response.body?.cancel()
})

test('when the client leaves, waiting code is aborted and finally blocks run', async () => {
  const onFinally = vi.fn()
  const { responding, leave } = open(async function* (_, context) {
    try {
      yield { data: 1 }
      await untilGone(context)
      yield { data: 2 }
    } finally {
      onFinally()
    }
  })
  const response = await responding
  await readPiece(response)
  await readPiece(response)
  const last = readPiece(response)
  leave()
  expect(await last).toBe('')
  await vi.waitFor(() => expect(onFinally).toHaveBeenCalledOnce())
})

test('cancelling the body ends the handler', async () => {
  const onFinally = vi.fn()
  const { responding } = open(async function* () {
    try {
      for (let id = 1; ; id++) yield { id }
    } finally {
      onFinally()
    }
  })
  await (await responding).body?.cancel()
  await vi.waitFor(() => expect(onFinally).toHaveBeenCalledOnce())
})

test('an abort error of a handler is not reported', async () => {
  const ended = vi.fn()
  const { responding, leave } = open(async function* (_, { signal }) {
    yield { data: 1 }
    await sleep(60_000, undefined, { signal }).finally(ended)
  })
  const response = await responding
  await readPiece(response)
  await readPiece(response)
  const last = readPiece(response)
  await sleep(1)
  leave()
  await last
  await vi.waitFor(() => expect(ended).toHaveBeenCalled())
  await sleep(5)
  expect(core.reported).toEqual([])
})

test('a client that leaves before the first event causes no error report', async () => {
  const { responding, leave } = open(async function* (_, { signal }) {
    await sleep(60_000, undefined, { signal })
    yield { data: 1 }
  })
  leave()
  expect((await responding).status).toBe(503)
})

test('a client that does not read is dropped', async () => {
  vi.useFakeTimers()
  const onFinally = vi.fn()
  const { responding } = open(async function* () {
    try {
      for (;;) yield { data: 1 }
    } finally {
      onFinally()
    }
  })
  const response = await responding
  await readPiece(response)
  await vi.advanceTimersByTimeAsync(29_000)
  expect(onFinally).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(onFinally).toHaveBeenCalledOnce()
  await expect(readPiece(response)).rejects.toThrow('stopped reading')
})

test('the end of the stream’s life has no end event, and says when to reconnect', async () => {
  vi.useFakeTimers()
  const ended = vi.fn()
  const { responding } = open(
    async function* (_, context) {
      yield { id: 1, data: 1 }
      await untilGone(context)
      ended()
    },
    { maxLifeMs: 10_000 },
  )
  const text = (await responding).text()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await text).toMatch(/^retry: \d{4}\n\nid: 1\ndata: 1\n\nretry: \d{1,4}\n\n$/)
  expect(ended).toHaveBeenCalledOnce()
})

test('the streams of one client are limited, until their handlers have ended', async () => {
  core.client = '198.51.100.7'
  const opened = await Promise.all(
    Array.from({ length: 210 }, async () => {
      const { responding, leave } = open(async function* () {
        yield { data: 1 }
      })
      return { response: await responding, leave }
    }),
  )
  const refused = opened.filter(({ response }) => response.status === 503)
  expect(refused).toHaveLength(10)
  expect(refused[0]?.response.headers.get('retry-after')).toBe('5')
  for (const { leave } of opened) leave()
  await vi.waitFor(async () => expect((await open(count).responding).status).toBe(200))
  core.client = null
})
