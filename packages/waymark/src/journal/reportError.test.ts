import { describe, expect, test, vi } from 'vitest'
import { startMs } from '../../../testing/src/drivers/journalDriverSuite.ts'
import { notFound } from '../http/statuses.ts'
import { toServerRequest } from '../http/web.ts'
import { redirect } from '../routing/redirect.ts'
import { isDigest } from '../wire/errorReport.ts'
import { createJournal } from './journal.ts'
import { createReporter, type Occurrence, type ReporterOptions } from './reportError.ts'
import { createMemoryJournal } from './storedJournal.ts'
import { hostileValues } from './testing/hostileValues.ts'

const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

function requestTo(target: string, headers: Record<string, string> = {}) {
  return toServerRequest(new Request(`https://site.test${target}`, { headers }))
}

function create(options: Partial<ReporterOptions> = {}) {
  const driver = createMemoryJournal()
  const log = vi.fn<(text: string) => void>()
  const onRequestError = vi.fn()
  const report = createReporter({
    journal: createJournal({ driver }),
    log,
    onRequestError,
    buildId: 'build-1',
    now: () => startMs,
    ...options,
  })
  const entryOf = async (digest: string) => {
    const match = await driver.find(digest)
    return match?.kind === 'whole' ? match.entry : null
  }
  return { report, log, onRequestError, driver, entryOf }
}

const page: Occurrence = {
  request: requestTo('/blog/a?token=s3cret', { cookie: 'id=s3cret', traceparent: trace }),
  pathname: '/blog/a',
  match: { pattern: '/blog/[slug]' },
  kind: 'data',
  scope: { phase: 'render' },
}

function thrownBy(run: () => unknown): unknown {
  try {
    return run()
  } catch (thrown) {
    return thrown
  }
}

test('the log tells what to do about a driver that is not installed', () => {
  const { report, log } = create()
  report(
    Object.assign(new Error("Cannot find module 'mysql2'"), { code: 'MODULE_NOT_FOUND' }),
    page,
  )
  expect(log.mock.calls[0]?.[0]).toContain('The package mysql2 is missing. Install it')
})

describe('a thrown value', () => {
  test('reaches journal, log and hook with the same digest', async () => {
    const { report, log, onRequestError, entryOf } = create()
    const thrown = new Error('broken')
    const digest = report(thrown, page)
    expect(isDigest(digest)).toBe(true)
    const entry = await entryOf(digest)
    expect(entry).toMatchObject({
      digest,
      phase: 'data',
      method: 'GET',
      path: '/blog/a?token=',
      route: '/blog/[slug]',
      status: null,
      buildId: 'build-1',
      traceparent: trace,
      message: 'broken',
    })
    expect(log.mock.calls[0]?.[0]).toMatch(
      new RegExp(
        `^${digest} data GET /blog/a\\?token= \\(/blog/\\[slug\\]\\)\\nError: broken\\n    at `,
      ),
    )
    expect(onRequestError).toHaveBeenCalledExactlyOnceWith(
      thrown,
      {
        path: '/blog/a?token=',
        method: 'GET',
        headers: { cookie: '[redacted]', traceparent: trace },
      },
      { entry },
    )
  })

  test.each(hostileValues())('has a digest and an entry: %s', async (_, thrown) => {
    const { report, entryOf, log } = create()
    const digest = report(thrown, page)
    expect(isDigest(digest)).toBe(true)
    expect(await entryOf(digest)).not.toBeNull()
    expect(log.mock.calls[0]?.[0].length).toBeLessThan(100_000)
  })

  test('reaches journal, log and hook without secrets', async () => {
    const { report, log, onRequestError, driver } = create()
    report(new Error('authorization: Bearer s3cret'), page)
    expect(JSON.stringify(await driver.list())).not.toContain('s3cret')
    expect(JSON.stringify(log.mock.calls)).not.toContain('s3cret')
    expect(JSON.stringify(onRequestError.mock.calls[0]?.slice(1))).not.toContain('s3cret')
  })

  test.each([
    [notFound, 'WAYMARK;404'],
    [() => redirect('/a'), 'WAYMARK;307;/a'],
  ])('is not an error if it is a signal', async (run, encoded) => {
    const { report, log, driver } = create()
    expect(report(thrownBy(run), page)).toBe(encoded)
    expect(log).not.toHaveBeenCalled()
    expect(await driver.list()).toEqual([])
  })
})

describe('a digest', () => {
  test('stays the same for an error within a request', () => {
    const { report, log } = create()
    const thrown = Object.freeze(new Error('broken'))
    expect(report(thrown, page)).toBe(report(thrown, page))
    expect(log).toHaveBeenCalledOnce()
  })

  test('differs for the same error in another request', () => {
    const { report, log } = create()
    const thrown = new Error('kept by a module')
    const other = { ...page, request: requestTo('/b') }
    expect(report(thrown, page)).not.toBe(report(thrown, other))
    expect(log).toHaveBeenCalledTimes(2)
  })

  test("is taken from React's placeholder for an error", () => {
    const { report, log } = create()
    const digest = report(new Error('broken'), page)
    expect(report(Object.assign(new Error('stand-in'), { digest }), page)).toBe(digest)
    expect(log).toHaveBeenCalledOnce()
  })

  test('is unique, even within a millisecond and with equal random numbers', () => {
    const { report } = create({ random: () => (Math.random() < 0.5 ? 0 : Math.random()) })
    const digests = Array.from({ length: 100 }, () => report(new Error(), page))
    expect(new Set(digests).size).toBe(100)
  })
})

describe('the phase', () => {
  test.each<[string, Occurrence]>([
    ['document', { request: page.request }],
    ['document', { ...page, kind: 'document' }],
    ['data', page],
    ['action', { ...page, scope: { phase: 'action' } }],
    ['after', { ...page, scope: { phase: 'after' } }],
    ['proxy', { ...page, phase: 'proxy' }],
    ['startup', {}],
  ])('is %s', async (phase, at) => {
    const { report, entryOf } = create()
    expect(await entryOf(report(new Error(), at))).toMatchObject({ phase })
  })
})

describe('a reporter of which a part fails', () => {
  const fail = () => {
    throw new Error('no')
  }

  test.each<[string, Partial<ReporterOptions>]>([
    ['the log', { log: fail }],
    ['the hook', { onRequestError: fail }],
    ['a hook that fails later', { onRequestError: async () => fail() }],
    ['the redaction', { redact: fail }],
  ])('still stores an entry: %s', async (_, options) => {
    const { report, entryOf } = create(options)
    expect(await entryOf(report(new Error('broken'), page))).toMatchObject({
      route: '/blog/[slug]',
    })
  })

  test('still logs a line: the journal', () => {
    const journal = { record: fail, has: fail, flush: fail, onClose: fail, close: fail }
    const { report, log } = create({ journal })
    const digest = report(new Error('broken'), page)
    expect(log).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining(digest),
      expect.objectContaining({ digest }),
    )
  })
})

test('a flood is logged in full at first, then with one line for each error', () => {
  const { report, log } = create()
  for (let at = 0; at < 100; at++) report(new Error(`broken ${at}`), page)
  const lines = log.mock.calls.map(([text]) => text)
  expect(lines).toHaveLength(100)
  expect(lines[0]).toContain('\n    at ')
  expect(lines[99]).toMatch(/^\S+ data GET \S+ \(\S+\) Error: broken 99 \(one of many\)$/)
})

test('a message cannot imitate the log line of an occurrence', () => {
  const { report, log } = create()
  report(new Error('a\n6r3v-0m2k-x7q document GET /forged (/)\r\x1b[2J'), page)
  expect(log.mock.calls[0]?.[0]).toContain(
    '\n  6r3v-0m2k-x7q document GET /forged (/)\ufffd\ufffd[2J\n',
  )
})

test('a runtime that ends with its response waits for the instrumentation', async () => {
  const waited: Promise<unknown>[] = []
  const { report } = create({ onRequestError: () => Promise.reject(new Error('its own')) })
  const waitUntil = (work: Promise<unknown>) => void waited.push(work)
  const request = toServerRequest(new Request('https://site.test/a'), { waitUntil })
  report(new Error('seen'), { ...page, request })
  await expect(Promise.all(waited)).resolves.toHaveLength(1)
})

describe('the request of an error', () => {
  const keepRequest = ({ request }: Occurrence) => ({ target: request?.target.slice(0, 5) })

  test('is stored with the entry', async () => {
    const { report, entryOf } = create({ keepRequest })
    expect((await entryOf(report(new Error('a'), page)))?.replay).toEqual({ target: '/blog' })
  })

  test('is not stored by default, outside of a request, or if describing it fails', async () => {
    const fail = () => {
      throw new Error('b')
    }
    const off = create()
    const failing = create({ keepRequest: fail })
    const outside = create({ keepRequest })
    const entries = [
      await off.entryOf(off.report(new Error('a'), page)),
      await failing.entryOf(failing.report(new Error('a'), page)),
      await outside.entryOf(outside.report(new Error('a'), { phase: 'process' })),
    ]
    expect(entries.map((entry) => entry?.message)).toEqual(['a', 'a', 'a'])
    expect(entries.map((entry) => JSON.stringify(entry).includes('replay'))).toEqual(
      entries.map(() => false),
    )
  })

  test('is dropped if a hook changes the path', async () => {
    const without = create({ keepRequest, redact: (entry) => ({ ...entry, path: '/blog' }) })
    const digest = without.report(new Error('a'), page)
    expect(await without.entryOf(digest)).toMatchObject({ path: '/blog' })
    expect(JSON.stringify(await without.entryOf(digest))).not.toContain('replay')
    const other = create({ keepRequest, redact: (entry) => ({ ...entry, message: '' }) })
    const entry = await other.entryOf(other.report(new Error('a'), page))
    expect(entry?.replay).toEqual({ target: '/blog' })
  })
})
