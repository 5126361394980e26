import { describe, expect, test, vi } from 'vitest'
import { entryAt } from '../../../../testing/src/drivers/journalDriverSuite.ts'
import { toServerRequest } from '../../http/web.ts'
import { createJournal } from '../../journal/journal.ts'
import { createMemoryJournal } from '../../journal/storedJournal.ts'
import { createRequestListener } from '../../node/listener.ts'
import { exchange, requestText, startServer } from '../../node/testing/servers.ts'
import type { ErrorBeacon } from '../../wire/errorReport.ts'
import { createErrorBeacon, type ErrorBeaconOptions } from './beacon.ts'

const origin = 'https://site.test'
const sameOrigin = { 'sec-fetch-site': 'same-origin' }

const beacon: ErrorBeacon = {
  digest: '6r3v-0m2k-x7q',
  source: 'boundary',
  name: 'TypeError',
  message: 'broken',
  stack: `at t (${origin}/_waymark/assets/a-b.js:1:2)`,
  componentStack: null,
  path: '/blog/a?token=',
  navigations: ['/', '/blog'],
  buildId: 'b1',
}

function create(options: Partial<ErrorBeaconOptions> = {}) {
  const driver = createMemoryJournal()
  const log = vi.fn<(text: string) => void>()
  const now = vi.fn(() => Date.UTC(2026, 10, 21))
  const journal = createJournal({ driver, now })
  const answer = createErrorBeacon({ journal, log, now, ...options })
  const send = async (
    body: unknown = beacon,
    headers: Record<string, string> = sameOrigin,
    { method = 'POST', remoteAddress = null as string | null } = {},
  ) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const init = method === 'GET' ? { method, headers } : { method, headers, body: text }
    const request = toServerRequest(new Request(`${origin}/_waymark/errors`, init))
    return answer({ ...request, remoteAddress })
  }
  return { answer, send, driver, journal, log, now }
}

describe('a beacon', () => {
  test('gets a response and a new digest if the journal hangs', async () => {
    vi.useFakeTimers()
    try {
      const { send, journal, log } = create()
      vi.spyOn(journal, 'has').mockReturnValue(new Promise(() => {}))
      const sending = send()
      await vi.advanceTimersByTimeAsync(2_000)
      expect((await sending).status).toBe(204)
      expect(log).toHaveBeenCalledOnce()
      expect(log.mock.calls[0]?.[0]).not.toContain(beacon.digest)
    } finally {
      vi.useRealTimers()
    }
  })

  test('is recorded, logged and passed to the instrumentation', async () => {
    const onRequestError = vi.fn()
    const { send, driver, log } = create({ onRequestError, routeOf: (path) => `${path}!` })
    const answer = await send(beacon, { ...sameOrigin, 'user-agent': 'Agent/1' })
    expect(answer).toEqual({ status: 204, headers: [['cache-control', 'no-store']], body: null })
    const [entry] = await driver.list()
    expect(entry).toMatchObject({
      digest: beacon.digest,
      phase: 'browser',
      path: '/blog/a?token=',
      route: '/blog/a!',
      message: 'broken',
      buildId: 'b1',
      browser: { userAgent: 'Agent/1', source: 'boundary', navigations: ['/', '/blog'] },
    })
    expect(log.mock.calls[0]?.[0]).toMatch(/^6r3v-0m2k-x7q browser \/blog\/a\?token= /)
    expect(onRequestError.mock.calls[0]?.[2]).toEqual({ entry })
  })

  test('has the digest that the screen shows, unless that is taken', async () => {
    const { send, driver } = create()
    driver.write(entryAt(1, { digest: beacon.digest, message: 'of the server' }))
    await send()
    expect(await driver.find(beacon.digest)).toMatchObject({ entry: { message: 'of the server' } })
    const digests = (await driver.list()).map(({ digest }) => digest)
    expect(new Set(digests).size).toBe(2)
  })

  test('is stripped of control characters and query values that a forger sent', async () => {
    const { send, driver } = create()
    await send({
      ...beacon,
      message: '\u001b[2Ja\u0000',
      path: '/a?b=s3cret',
      navigations: ['/?c=s3cret'],
    })
    const text = JSON.stringify(await driver.list())
    expect(text).not.toContain('s3cret')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the text must not contain them
    expect(text).not.toMatch(/\\u00[01]|[\u0000-\u0009]/)
  })

  test('gets a response if the journal fails', async () => {
    const fail = () => {
      throw new Error('no')
    }
    const journal = {
      record: fail,
      has: async () => fail(),
      flush: fail,
      onClose: fail,
      close: fail,
    }
    const { send } = create({ journal })
    expect((await send()).status).toBe(204)
  })
})

describe('a request is refused', () => {
  test.each(['GET', 'PUT', 'OPTIONS', 'DELETE'])('with the method %s', async (method) => {
    const { send, driver } = create()
    const answer = await send(beacon, sameOrigin, { method })
    expect(answer.status).toBe(405)
    expect(answer.headers).toContainEqual(['allow', 'POST'])
    expect(await driver.list()).toEqual([])
  })

  test.each<[number, Record<string, string>]>([
    [204, { 'sec-fetch-site': 'same-origin' }],
    [204, { origin }],
    [403, {}],
    [403, { origin: 'https://evil.test' }],
    [403, { origin: 'null' }],
    [403, { 'sec-fetch-site': 'cross-site', origin }],
    [403, { 'sec-fetch-site': 'same-site', origin }],
    [403, { 'sec-fetch-site': 'none' }],
  ])('with %i for %j', async (status, headers) => {
    expect((await create().send(beacon, headers)).status).toBe(status)
  })

  test.each([
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '\ufffe',
    { ...beacon, digest: 'x' },
    { ...beacon, digest: `${beacon.digest}\n` },
    { ...beacon, source: 'server' },
    { ...beacon, name: 1 },
    { ...beacon, message: { toString: 1 } },
    { ...beacon, stack: undefined },
    { ...beacon, path: 'https://evil.test/' },
    { ...beacon, navigations: 'no' },
    { ...beacon, navigations: [1] },
    { ...beacon, navigations: ['/1', '/2', '/3', '/4', '/5', '/6'] },
    { ...beacon, buildId: '../../etc' },
    '['.repeat(16_000),
  ])('as malformed: %j', async (body) => {
    const { send, driver } = create()
    expect((await send(body)).status).toBe(400)
    expect(await driver.list()).toEqual([])
  })

  test('that is not UTF-8', async () => {
    const { answer } = create()
    const init = { method: 'POST', headers: sameOrigin, body: new Uint8Array([0xff, 0xfe]) }
    expect((await answer(toServerRequest(new Request(origin, init)))).status).toBe(400)
  })

  test('that is too large, by its content-length or by its bytes', async () => {
    const { send, driver } = create()
    const body = JSON.stringify({ ...beacon, message: 'x'.repeat(17_000) })
    expect((await send(body)).status).toBe(413)
    expect((await send('{}', { ...sameOrigin, 'content-length': '99999999' })).status).toBe(413)
    expect(await driver.list()).toEqual([])
  })
})

describe('too many requests are refused', () => {
  test('from all clients together', async () => {
    const { send, driver, now } = create()
    const statuses = await Promise.all(
      Array.from({ length: 10_000 }, async () => (await send()).status),
    )
    expect(statuses.filter((status) => status === 204)).toHaveLength(60)
    expect(statuses.filter((status) => status === 429)).toHaveLength(9_940)
    expect((await driver.list({ limit: 1_000 })).length).toBeLessThanOrEqual(60)
    now.mockReturnValue(Date.UTC(2026, 10, 21, 0, 1))
    expect((await send()).status).toBe(204)
  })

  test.each([
    ['203.0.113.1', '203.0.113.2'],
    // A client that has one address of a network has all of the network's addresses, so they share a limit.
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
  ])('from one client, without affecting others: %s', async (one, other) => {
    const { send } = create()
    const of = (remoteAddress: string) => send(beacon, sameOrigin, { remoteAddress })
    const statuses: number[] = []
    for (let count = 0; count < 100; count++) {
      const address = one.includes(':') ? one.replace(/1$/, (count + 1).toString(16)) : one
      statuses.push((await of(address)).status)
    }
    expect(statuses.filter((status) => status === 204)).toHaveLength(20)
    expect((await of(other)).status).toBe(204)
  })

  test('behind an untrusted proxy, only from all clients together', async () => {
    const { send } = create()
    const statuses: number[] = []
    for (let count = 0; count < 100; count++) {
      const headers = { ...sameOrigin, 'x-forwarded-for': `198.51.100.${count}` }
      statuses.push((await send(beacon, headers, { remoteAddress: '::ffff:10.0.0.1' })).status)
    }
    expect(statuses.filter((status) => status === 204)).toHaveLength(60)
  })
})

describe('on a socket', () => {
  async function start() {
    const { answer, driver } = create()
    const port = await startServer(
      createRequestListener({ handle: answer, logger: { error: vi.fn() } }),
    )
    const post = (lines: string[], body: string) =>
      exchange(
        port,
        `${requestText('POST', '/_waymark/errors', ['sec-fetch-site: same-origin', ...lines])}${body}`,
        3_000,
      )
    return { post, driver }
  }

  const chunk = `1000\r\n${'x'.repeat(4_096)}\r\n`

  test('a body without a length is read only up to the limit for beacons', async () => {
    const { post, driver } = await start()
    const received = await post(
      ['transfer-encoding: chunked', 'connection: close'],
      `${chunk.repeat(100)}0\r\n\r\n`,
    )
    expect(received).toMatch(/^HTTP\/1\.1 413 /)
    expect(await driver.list()).toEqual([])
  })

  test('a connection stays open after a refusal', async () => {
    const { post } = await start()
    const again = requestText('POST', '/_waymark/errors', [
      'sec-fetch-site: cross-site',
      'content-length: 0',
      'connection: close',
    ])
    const received = await post(
      ['transfer-encoding: chunked'],
      `${chunk.repeat(10)}0\r\n\r\n${again}`,
    )
    expect(received.match(/HTTP\/1\.1 (\d+)/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 403'])
  })
})
