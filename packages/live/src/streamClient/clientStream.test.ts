import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClientStream, type StreamSnapshot } from './clientStream.ts'
import type { ReceivedEvent } from './readStream.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const type = { 'content-type': 'text/event-stream' }
const streamed = (body: BodyInit | null) => new Response(body, { headers: type })

/** Creates a response that the test writes. */
function openResponse() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const cut = vi.fn(() => writer.abort(new TypeError('network error')))
  return {
    response: streamed(readable),
    /** Fails as `fetch` does when its signal aborts. */
    cut,
    write: (text: string) => void writer.write(new TextEncoder().encode(text)).catch(() => {}),
  }
}

type Answer = Response | Error | 'hang' | ReturnType<typeof openResponse>

/** Follows a stream that gets these responses one after the other. */
function follow({ answers, since = null }: { answers: Answer[]; since?: string | null }) {
  const requests: (string | null)[] = []
  const states: string[] = []
  const events: ReceivedEvent[] = []
  async function send(_: unknown, init: RequestInit = {}): Promise<Response> {
    requests.push(new Headers(init.headers).get('last-event-id'))
    const answer = answers.shift() ?? 'hang'
    if (answer instanceof Error) throw answer
    if (answer instanceof Response) return answer
    if (answer !== 'hang') {
      init.signal?.addEventListener('abort', answer.cut)
      return answer.response
    }
    return new Promise((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(new Error('aborted')))
    })
  }
  const stream = createClientStream({
    url: '/events',
    since,
    fetch: send as typeof fetch,
    random: () => 0.5,
  })
  const seen = ({ state }: StreamSnapshot) => state !== states.at(-1) && states.push(state)
  seen(stream.get())
  stream.subscribe(() => seen(stream.get()))
  const stop = stream.start((event) => events.push(event))
  return { stream, stop, requests, states, events, answers }
}

const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms)

test('it connects, reports events and is closed by the end event', async () => {
  const { stream, requests, states, events } = follow({
    answers: [
      streamed('retry: 9\n\nid: 1\ndata: {"a":1}\n\nevent: x\ndata: 2\n\nevent: end\ndata: {}\n\n'),
    ],
  })
  expect(stream.get()).toEqual({ state: 'connecting', data: undefined, error: null })
  await pass(60_000)
  expect(states).toEqual(['connecting', 'open', 'closed'])
  expect(stream.get()).toEqual({ state: 'closed', data: 2, error: null })
  expect(events).toEqual([
    { id: '1', event: 'message', data: { a: 1 } },
    { id: '1', event: 'x', data: 2 },
  ])
  expect(requests).toEqual([null])
})

test('a stream that stops without the end event reconnects from the last complete event', async () => {
  const { states, requests, stream } = follow({
    since: '5',
    answers: [streamed('id: 6\ndata: 1\n\nid: 7\ndata: 2\n')],
  })
  await pass()
  expect(stream.get()).toEqual({
    state: 'waiting',
    data: 1,
    error: { status: null, digest: null },
  })
  await pass(999)
  expect(requests).toEqual(['5'])
  await pass(1)
  expect(requests).toEqual(['5', '6'])
  expect(states).toEqual(['connecting', 'open', 'waiting', 'connecting'])
})

test('pauses double up to half a minute, and start over after an event', async () => {
  const lost = () => new TypeError('network error')
  const { requests, answers } = follow({ answers: Array.from({ length: 7 }, lost) })
  const pauses: number[] = []
  let waitedMs = 0
  await pass()
  while (pauses.length < 6) {
    const before = requests.length
    await pass(500)
    waitedMs += 500
    if (requests.length === before) continue
    pauses.push(waitedMs)
    waitedMs = 0
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000])
  answers.push(streamed('data: 1\n\n'))
  await pass(30_000)
  await pass(1_000)
  expect(requests).toHaveLength(9)
})

const refusals = [400, 401, 403, 404, 410]

test.each(refusals)('a %s from the site ends the stream for good', async (status) => {
  const headers = { 'waymark-refusal': String(status) }
  const { stream, requests } = follow({ answers: [new Response(null, { status, headers })] })
  await pass(120_000)
  expect(stream.get()).toMatchObject({ state: 'closed', error: { status } })
  expect(requests).toHaveLength(1)
})

test.each(refusals)('a %s from a gateway is retried', async (status) => {
  const answers = [new Response(null, { status }), new Response(null, { status })]
  const { stream, requests } = follow({ answers: [...answers, streamed('data: 1\n\n')] })
  await pass()
  expect(stream.get()).toMatchObject({ state: 'waiting', error: { status } })
  await pass(3_500)
  expect(requests).toHaveLength(3)
  expect(stream.get()).toMatchObject({ data: 1 })
})

test.each<[string, Response]>([
  ['500', new Response(null, { status: 500 })],
  ['502', new Response(null, { status: 502 })],
  ['429', new Response(null, { status: 429 })],
  [
    'page of a captive portal',
    new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } }),
  ],
])('a %s does not end the stream for good', async (_, response) => {
  const { stream, requests } = follow({ answers: [response] })
  await pass()
  expect(stream.get()).toMatchObject({ state: 'waiting', error: { status: response.status } })
  await pass(1_000)
  expect(requests).toHaveLength(2)
})

test('waits at least as long as the server asks for', async () => {
  const response = new Response(null, { status: 503, headers: { 'retry-after': '20' } })
  const { requests } = follow({ answers: [response] })
  await pass(20_000)
  expect(requests).toHaveLength(1)
  await pass(20_000)
  expect(requests).toHaveLength(2)
})

test.each<[string, Response, number | null]>([
  ['no content', new Response(null, { status: 204, headers: { 'waymark-refusal': '204' } }), null],
  ['a late refusal', streamed('event: end\ndata: {"status":401}\n\n'), 401],
])('%s ends the stream for good', async (_, response, status) => {
  const { stream } = follow({ answers: [response] })
  await pass(120_000)
  const error = status && { status, digest: null }
  expect(stream.get()).toMatchObject({ state: 'closed', error })
})

test('an error of the handler is reported with its digest and retried', async () => {
  const { stream, requests } = follow({
    answers: [streamed('id: 1\ndata: 1\n\nevent: end\ndata: {"digest":"d1"}\n\n')],
  })
  await pass()
  expect(stream.get()).toEqual({ state: 'waiting', data: 1, error: { status: null, digest: 'd1' } })
  await pass(1_000)
  expect(requests).toEqual([null, '1'])
})

test('a reconnect that the server asks for is not a failure', async () => {
  const { stream, requests } = follow({
    answers: [streamed('retry: 2000\n\nid: 1\ndata: 1\n\nretry: 400\n\n')],
  })
  await pass()
  expect(stream.get()).toMatchObject({ state: 'waiting', error: null })
  await pass(399)
  expect(requests).toHaveLength(1)
  await pass(1)
  expect(requests).toEqual([null, '1'])
})

test('missing two heartbeats counts as a cut, and a heartbeat ends the silence', async () => {
  const first = openResponse()
  const { states, requests } = follow({ answers: [first] })
  await pass()
  for (let beats = 0; beats < 10; beats++) {
    await pass(15_000)
    first.write(':\n\n')
  }
  await pass(34_999)
  expect(states).toEqual(['connecting', 'open'])
  await pass(1)
  expect(states).toEqual(['connecting', 'open', 'waiting'])
  await pass(1_000)
  expect(requests).toHaveLength(2)
})

test('a request without a response is abandoned', async () => {
  const { states, requests } = follow({ answers: ['hang'] })
  await pass(35_000)
  expect(states).toEqual(['connecting', 'waiting'])
  await pass(1_000)
  expect(requests).toHaveLength(2)
})

test('data that is not JSON counts as a cut and is requested again', async () => {
  const { stream, requests } = follow({
    answers: [streamed('id: 1\ndata: 1\n\nid: 2\ndata: {\n\n')],
  })
  await pass()
  expect(stream.get()).toMatchObject({ state: 'waiting', data: 1 })
  await pass(1_000)
  expect(requests).toEqual([null, '1'])
})

test('while offline it waits for the network', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  const { stream, requests } = follow({ answers: [new TypeError('network error')] })
  await pass(29_000)
  expect(requests).toHaveLength(1)
  stream.reconnect()
  await pass()
  expect(requests).toHaveLength(2)
})

test('it has no connection while paused, and continues when resumed', async () => {
  const first = openResponse()
  const { stream, requests } = follow({ answers: [first] })
  await pass()
  first.write('id: 3\ndata: 1\n\n')
  await pass()
  stream.pause()
  expect(stream.get().state).toBe('waiting')
  await pass(120_000)
  expect(requests).toEqual([null])
  expect(first.cut).toHaveBeenCalled()
  stream.resume()
  await pass()
  expect(requests).toEqual([null, '3'])
})

test('strict mode causes only one request', async () => {
  const { stream, stop, requests, states } = follow({ answers: [] })
  stop()
  stream.start(() => {})
  await pass()
  expect(requests).toEqual([null])
  expect(states).toEqual(['connecting'])
})

test('after a stop and a start, it continues from the last event', async () => {
  const first = openResponse()
  const { stream, stop, requests } = follow({ answers: [first] })
  await pass()
  first.write('id: 3\ndata: 1\n\n')
  await pass()
  stop()
  expect(stream.get()).toMatchObject({ state: 'connecting', data: 1 })
  await pass(120_000)
  stream.start(() => {})
  await pass()
  expect(requests).toEqual([null, '3'])
})

test('once closed, it stays closed until connect() is called', async () => {
  const first = openResponse()
  const { stream, requests, events } = follow({ answers: [first] })
  await pass()
  stream.close()
  first.write('data: 1\n\n')
  stream.reconnect()
  stream.resume()
  await pass(120_000)
  expect(stream.get().state).toBe('closed')
  expect(events).toEqual([])
  expect(requests).toHaveLength(1)
  stream.connect()
  await pass()
  expect(requests).toHaveLength(2)
})

test('connect() ends a pause', async () => {
  const { stream, requests } = follow({ answers: [new TypeError('network error')] })
  await pass()
  stream.connect()
  await pass()
  expect(requests).toHaveLength(2)
})

test('an error of a listener is reported, and the stream continues', async () => {
  const reportError = vi.fn()
  vi.stubGlobal('reportError', reportError)
  const answer = streamed('data: 1\n\ndata: 2\n\nevent: end\ndata: {}\n\n')
  const stream = createClientStream({ url: '/x', since: null, fetch: async () => answer })
  stream.start(() => {
    throw new Error('listener')
  })
  await pass()
  expect(reportError).toHaveBeenCalledTimes(2)
  expect(stream.get()).toMatchObject({ state: 'closed', data: 2 })
})
