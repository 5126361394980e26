import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LiveMessage } from '../shared/messages.ts'
import { createConnection } from './connection.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

type SentRequest = {
  readonly pages: readonly string[]
  readonly wait: boolean
  send(message: LiveMessage): void
  end(): void
  fail(): void
  readonly isAborted: () => boolean
}

/** Creates a server that the test controls. */
function create(respond: (request: SentRequest) => Response | null = () => null) {
  const requests: SentRequest[] = []
  const changes: string[] = []
  const lost: string[] = []
  const states: boolean[] = []
  const connection = createConnection({
    url: '/live',
    onChanged: (reads, from) => void changes.push([...reads, from].join()),
    onGone: (reads) => void lost.push(reads.join()),
    onState: (isConnected) => void states.push(isConnected),
    send: (async (_url: string, { body: sent, signal }: RequestInit) => {
      const body = new TransformStream<Uint8Array, Uint8Array>()
      const writer = body.writable.getWriter()
      const quiet = () => {}
      signal?.addEventListener('abort', () => writer.abort(signal.reason).catch(quiet))
      const request: SentRequest = {
        ...JSON.parse(String(sent)),
        send: (message) => {
          writer
            .write(new TextEncoder().encode(`data: ${JSON.stringify(message)}\n\n`))
            .catch(quiet)
        },
        end: () => void writer.close().catch(quiet),
        fail: () => void writer.abort(new TypeError('network error')).catch(quiet),
        isAborted: () => signal?.aborted === true,
      }
      requests.push(request)
      return respond(request) ?? new Response(body.readable, stream)
    }) as typeof fetch,
  })
  return { connection, requests, changes, lost, states }
}

const pages = (...names: string[]) => new Map(names.map((name) => [name, [`sealed ${name}`]]))
const stream = { headers: { 'content-type': 'text/event-stream' } }
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('it sends the sealed subscriptions and reports the names of changed ones', async () => {
  const { connection, requests, changes, lost, states } = create()
  connection.follow(pages('a', 'b'))
  await wait(60)
  expect(requests[0]).toMatchObject({ pages: ['sealed a', 'sealed b'], wait: true })
  requests[0]?.send({ changed: [], gone: [1], from: 'p1' })
  requests[0]?.send({ changed: [0, 7] })
  await wait(1)
  expect(changes).toEqual(['a,p1'])
  expect(lost).toEqual(['b'])
  expect(states.at(-1)).toBe(true)
})

test('it reconnects only for a page that it does not follow yet', async () => {
  const { connection, requests } = create()
  connection.follow(pages('a', 'b'))
  await wait(60)
  connection.follow(pages('a'))
  connection.follow(pages('b'))
  await wait(1_000)
  expect(requests).toHaveLength(1)
  connection.follow(pages('b', 'c'))
  await wait(60)
  expect(requests).toHaveLength(2)
  expect(requests[0]?.isAborted()).toBe(true)
  connection.follow(pages())
  expect(requests[1]?.isAborted()).toBe(true)
  await wait(60_000)
  expect(requests).toHaveLength(2)
})

test('a server that shuts down says when to connect again', async () => {
  const { connection, requests, states } = create()
  connection.follow(pages('a'))
  await wait(60)
  requests[0]?.send({ againAfterMs: 3_000 })
  requests[0]?.end()
  await wait(2_900)
  expect(requests).toHaveLength(1)
  await wait(200)
  expect(requests).toHaveLength(2)
  expect(states).not.toContain(false)
})

test('a broken connection is retried with growing pauses', async () => {
  const { connection, requests, states } = create(() => new Response(null, { status: 502 }))
  connection.follow(pages('a'))
  await wait(60_000)
  expect(states.at(-1)).toBe(false)
  expect(requests.length).toBeGreaterThan(4)
  expect(requests.length).toBeLessThan(12)
})

test('a full server is asked again after the time that it names', async () => {
  const headers = { 'retry-after': '20' }
  const { connection, requests } = create(() => new Response(null, { status: 503, headers }))
  connection.follow(pages('a'))
  await wait(9_000)
  expect(requests).toHaveLength(1)
  await wait(25_000)
  expect(requests.length).toBeGreaterThan(1)
})

test.each([400, 401, 403, 404, 405, 410, 451])(
  'a %s from a gateway is retried with growing pauses',
  async (status) => {
    const { connection, requests, states } = create(() =>
      requests.length < 3 ? new Response(null, { status }) : null,
    )
    connection.follow(pages('a'))
    await wait(4_700)
    expect(requests).toHaveLength(3)
    requests[2]?.send({})
    await wait(1)
    expect(states.at(-1)).toBe(true)
  },
)

test('a server that refuses this page is left alone', async () => {
  const headers = { 'waymark-refusal': '403' }
  const { connection, requests } = create(() => new Response(null, { status: 403, headers }))
  connection.follow(pages('a'))
  await wait(600_000)
  expect(requests).toHaveLength(1)
})

test('a silent connection counts as lost', async () => {
  const { connection, requests } = create()
  connection.follow(pages('a'))
  await wait(60)
  requests[0]?.send({})
  await wait(34_000)
  expect(requests).toHaveLength(1)
  await wait(4_000)
  expect(requests).toHaveLength(2)
})

test('if no message comes at once, it polls and later tries to wait again', async () => {
  const { connection, requests, changes } = create(({ wait: waits }) =>
    waits ? null : Response.json({ changed: [0], gone: [] }),
  )
  connection.follow(pages('a'))
  await wait(5_200)
  expect(requests.map((request) => request.wait)).toEqual([true, false])
  await wait(25_000)
  expect(requests.filter((request) => !request.wait)).toHaveLength(3)
  expect(changes).toEqual(['a,', 'a,', 'a,'])
  await wait(300_000)
  expect(requests.filter((request) => request.wait).length).toBeGreaterThan(1)
})

test('a page that the server no longer follows is followed again with a new subscription', async () => {
  const { connection, requests } = create()
  connection.follow(pages('a', 'b'))
  await wait(60)
  requests[0]?.send({ changed: [], gone: [0] })
  await wait(1)
  connection.follow(pages('a', 'b'))
  await wait(1_000)
  expect(requests).toHaveLength(1)
  const renewed = new Map([...pages('b'), ['a', ['renewed a']]])
  expect(connection.covers(renewed)).toBe(false)
  connection.follow(renewed)
  expect(connection.covers(renewed)).toBe(true)
  await wait(60)
  expect(requests[1]?.pages).toEqual(['sealed b', 'renewed a'])
})

test('a new rendering of followed reads is not covered by the open connection', async () => {
  const { connection, requests } = create()
  connection.follow(pages('a'))
  await wait(60)
  const older = new Map([['a', ['older a']]])
  connection.follow(older)
  await wait(1_000)
  expect(requests).toHaveLength(1)
  expect(connection.covers(pages('a'))).toBe(true)
  expect(connection.covers(older)).toBe(false)
})

test('asking for the same pages does not shorten the pause of a full server', async () => {
  const headers = { 'retry-after': '20' }
  const { connection, requests } = create(() => new Response(null, { status: 503, headers }))
  connection.follow(pages('a'))
  for (let seconds = 0; seconds < 9; seconds++) {
    await wait(1_000)
    connection.follow(pages('a'))
  }
  expect(requests).toHaveLength(1)
})

test('a captive portal that responds with its own page is not a connection', async () => {
  const headers = { 'content-type': 'text/html' }
  const { connection, requests, states } = create(
    () => new Response('<html>\n\n</html>\n\n', { headers }),
  )
  connection.follow(pages('a'))
  await wait(60_000)
  expect(new Set(states)).toEqual(new Set([false]))
  expect(requests.length).toBeLessThan(12)
})

test('many tabs send only as many subscriptions as the server accepts', async () => {
  const { connection, requests } = create()
  const names = Array.from({ length: 100 }, (_, at) => `${at}`)
  connection.follow(new Map(names.map((name) => [name, [name.padEnd(5_000, 'x')]])))
  await wait(60)
  expect(requests[0]?.pages.length).toBeLessThanOrEqual(64)
  expect(JSON.stringify(requests[0]?.pages).length).toBeLessThan(256 * 1024)
  connection.follow(new Map(names.map((name) => [name, [name.padEnd(5_000, 'x')]])))
  await wait(1_000)
  expect(requests).toHaveLength(1)
})
