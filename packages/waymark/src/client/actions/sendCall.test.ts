import { afterEach, describe, expect, test, vi } from 'vitest'
import { createFrameWriter } from '../../http/frameWriter.ts'
import { createRetries } from '../retry/retry.ts'
import { type ReceivedResponse, sendCall } from './sendCall.ts'

// React's decoder expects this function from a bundler.
vi.hoisted(() => Object.assign(globalThis, { __webpack_require__: { u: () => '' } }))

afterEach(() => void vi.unstubAllGlobals())

const encode = (text: string) => new TextEncoder().encode(text)
const marked = (rows: string) => createFrameWriter().write([rows], true).toString()
const flightHeaders = { 'content-type': 'text/x-component; charset=utf-8' }

/** Replaces `fetch`, and records its requests. */
function stubFetch(respond: (init: RequestInit) => Response | Promise<Response>) {
  const requests: { url: string; init: RequestInit }[] = []
  // A document without a nonce.
  vi.stubGlobal('document', { querySelector: () => null })
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push({ url, init })
    return respond(init)
  })
  return requests
}

/** Never responds, but rejects when the request is aborted. */
const hanging = (signal: AbortSignal | null | undefined) =>
  new Promise<Response>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
  })

/** Starts to respond, then sends nothing more. */
function stalled(text: string, signal: AbortSignal | null | undefined): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encode(text))
      signal?.addEventListener('abort', () => controller.error(signal.reason))
    },
  })
  return new Response(body, { headers: flightHeaders })
}

const send = (
  signal = new AbortController().signal,
  shouldResume = async () => false,
): Promise<ReceivedResponse> =>
  sendCall({
    id: 'abc#save',
    body: '[1]',
    url: new URL('http://site.test/notes?page=2#end'),
    from: '/notes',
    beside: [],
    key: 'k'.repeat(22),
    silenceMs: 200,
    timeoutMs: 250,
    signal,
    resume: { retries: createRetries({ pausesMs: [] }), onExhausted: shouldResume },
    retry: async () => undefined,
  })

test('a call is sent to the current page with its idempotency key', async () => {
  const requests = stubFetch(
    () => new Response(marked('0:{"kind":"returned","value":7}\n'), { headers: flightHeaders }),
  )
  const { response } = await send()
  expect(response).toEqual({ kind: 'returned', value: 7 })
  expect(requests).toHaveLength(1)
  expect(requests[0]?.url).toBe('http://site.test/notes?page=2')
  expect(requests[0]?.init).toMatchObject({
    method: 'POST',
    body: '[1]',
    headers: {
      accept: 'text/x-component',
      'waymark-action': 'abc#save',
      'waymark-idempotency-key': 'k'.repeat(22),
      'waymark-from': '/notes',
    },
  })
})

test('a response may have any status', async () => {
  stubFetch(
    () =>
      new Response(marked('0:{"kind":"refused","code":"stale"}\n'), {
        status: 409,
        headers: flightHeaders,
      }),
  )
  expect((await send()).response).toEqual({ kind: 'refused', code: 'stale' })
})

test.each([
  [
    'a page of a captive portal',
    () => new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } }),
    'foreign',
  ],
  ['an error of a gateway', () => new Response('Bad gateway', { status: 502 }), 'foreign'],
  [
    'page data in place of a response to the call',
    () => new Response(marked('0:{"tree":{}}\n'), { headers: flightHeaders }),
    'foreign',
  ],
  ['an empty response', () => new Response('', { headers: flightHeaders }), 'broken'],
  [
    'a response without its end',
    () => new Response('0:{"kind":"returned","value":7}\n', { headers: flightHeaders }),
    'broken',
  ],
  ['half of a row', () => new Response('0:{"kind":"retu', { headers: flightHeaders }), 'broken'],
  [
    'a changed byte',
    () =>
      new Response(marked('0:{"kind":"returned","value":7}\n').replace('7', '8'), {
        headers: flightHeaders,
      }),
    'broken',
  ],
  [
    'a row that is not JSON',
    () => new Response(marked('0:{"kind" "returned"}\n'), { headers: flightHeaders }),
    'broken',
  ],
  ['no connection', () => Promise.reject(new TypeError('Failed to fetch')), 'network'],
])('%s does not count as a response', async (_, respond, reason) => {
  stubFetch(respond)
  await expect(send()).rejects.toMatchObject({
    name: 'TransportFailure',
    problem: { kind: reason },
  })
})

/** Creates a response whose frames are written by the test. */
function streaming() {
  let pieces: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      pieces = controller
    },
  })
  stubFetch(({ signal }) => {
    signal?.addEventListener('abort', () => pieces?.error(signal.reason))
    return new Response(body, { headers: flightHeaders })
  })
  const writer = createFrameWriter()
  return {
    write(...rows: string[]) {
      pieces?.enqueue(writer.write(rows, false))
    },
    end() {
      pieces?.enqueue(writer.write([], true))
      pieces?.close()
    },
  }
}

test('a refusal of an overloaded server says how long to wait', async () => {
  stubFetch(() => new Response('', { status: 503, headers: { 'retry-after': '2' } }))
  await expect(send()).rejects.toMatchObject({ retryAfterMs: 2_000 })
})

test('a streaming result is returned before its end', async () => {
  const server = streaming()
  const sending = send()
  server.write('0:{"kind":"returned","value":"$@1"}\n')
  const { response } = await sending
  server.write('1:"later"\n')
  server.end()
  expect(await (response as { value: unknown }).value).toBe('later')
})

test('the pending part of a result rejects when the connection falls silent', async () => {
  const server = streaming()
  const sending = send()
  server.write('0:{"kind":"returned","value":"$@1"}\n')
  const { response, whole } = await sending
  whole.catch(() => {})
  await expect((response as { value: unknown }).value).rejects.toMatchObject({ code: 'cut' })
})

test('heartbeats of the server extend the wait', async () => {
  const server = streaming()
  const sending = send()
  for (let beat = 0; beat < 6; beat++) {
    server.write()
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  server.write('0:{"kind":"returned","value":7}\n')
  server.end()
  expect((await sending).response).toEqual({ kind: 'returned', value: 7 })
})

describe('a response that breaks off after its result was returned', () => {
  const result = '0:{"kind":"returned","value":"$@1"}\n'
  const framed = (first: string) => {
    const writer = createFrameWriter()
    return `${writer.write([first], false)}${writer.write(['1:"late"\n'], true)}`
  }
  const sent = framed(result)
  const cutAt = sent.indexOf('1:"late') + 3
  /** A body of which only the first part arrives. The body breaks off when the test calls `breakOff`. */
  const createCut = () => {
    let breakOff = () => {}
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(encode(sent.slice(0, cutAt)))
        breakOff = () => controller.close()
      },
    })
    return { body, breakOff }
  }
  const resumeWith = async (second: string) => {
    const { body, breakOff } = createCut()
    const bodies = [body, second]
    const requests = stubFetch(() => new Response(bodies.shift(), { headers: flightHeaders }))
    const { response, whole } = await send(undefined, async () => requests.length === 1)
    breakOff()
    const value = (response as { value: Promise<unknown> }).value
    return { requests, value, whole }
  }

  test('continues with the repeated response', async () => {
    const { requests, value, whole } = await resumeWith(sent)
    expect(await value).toBe('late')
    await whole
    expect(requests).toHaveLength(2)
  })

  test.each<[string, (init: RequestInit) => Promise<Response>]>([
    ['gets no response', ({ signal }) => hanging(signal)],
    [
      'hangs within the part that has arrived before',
      async ({ signal }) => stalled(sent.slice(0, 5), signal),
    ],
  ])('is requested once more if the second request %s', async (_, second) => {
    const full = () => new Response(sent, { headers: flightHeaders })
    const { body, breakOff } = createCut()
    const responses = [() => new Response(body, { headers: flightHeaders }), second, full]
    const requests = stubFetch((init) => (responses.shift() ?? full)(init))
    const { response, whole } = await send(undefined, async () => requests.length < 3)
    breakOff()
    expect(await (response as { value: Promise<unknown> }).value).toBe('late')
    await whole
    expect(requests).toHaveLength(3)
  })

  test.each([
    ['starts differently', framed(result.replace('returned', 'returner'))],
    ['is shorter', sent.slice(0, 10)],
    ['has a wrong checksum', `${sent.slice(0, -9)}00000000\n`],
  ])('counts as cut off if the repeated response %s', async (_, second) => {
    const { value, whole } = await resumeWith(second)
    await expect(whole).rejects.toThrow()
    await expect(value).rejects.toMatchObject({ code: 'cut' })
  })
})
