import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeArguments } from '@waymark/testing/build'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createDigest, createEntry, type JournalEntry } from 'waymark/drivers'
import { actionName, type StoredRequest } from '../server/storedRequest.ts'
import { expectAdmitted, parseCookies, withNeededCookies } from '../writtenTest/replayCookies.ts'
import { judge, otherBuild, type ReplayResult, reasonToRefuse, wayTo } from './judgeReplay.ts'
import { runReplay } from './runReplay.ts'
import { judgeReport } from './runTest.ts'
import { sendRequest } from './sendRequest.ts'
import { sessionFor } from './session.ts'
import { requestTest, writeTest } from './writeTest.ts'

const request: StoredRequest = {
  method: 'GET',
  target: '/a?q=1',
  headers: { accept: 'text/html' },
  cookies: ['session'],
  hasBody: false,
  action: null,
  removed: [],
}

function entry(changed: Partial<JournalEntry> = {}): JournalEntry {
  const timeMs = Date.UTC(2026, 0, 21, 12)
  const digest = createDigest(timeMs, 0)
  const context = { digest, timeMs, phase: 'document', route: '/a', target: '/a?b=c' } as const
  return { ...createEntry(new Error('error'), context), ...changed }
}

function folder(): string {
  const root = mkdtempSync(join(tmpdir(), 'replay-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}

async function listen(location: string | null) {
  const received: { url: string | undefined; headers: IncomingHttpHeaders }[] = []
  const server = createServer(({ url, headers }, response) => {
    received.push({ url, headers })
    response.writeHead(location ? 307 : 200, location ? { location } : {}).end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { received, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('a request that is sent again', () => {
  const options = { requestId: 'r', withinMs: 5_000, session: { cookies: { session: 'abc' } } }

  test('goes to its origin with the cookies', async () => {
    const { origin, received } = await listen(null)
    await sendRequest(request, { ...options, origin })
    expect(received).toMatchObject([{ url: '/a?q=1', headers: { cookie: 'session=abc' } }])
  })

  test('follows no redirect, so that no other server gets the cookies', async () => {
    const other = await listen(null)
    const { origin } = await listen(`${other.origin}/steal`)
    const response = await sendRequest(request, { ...options, origin })
    expect(response.status).toBe(307)
    expect(other.received).toEqual([])
  })

  test.each(['//evil.example/', '/\\evil.example', 'https://evil.example/'])(
    'is not sent elsewhere: %s',
    async (target) => {
      const sent = sendRequest({ ...request, target }, { ...options, origin: 'http://127.0.0.1:9' })
      await expect(sent).rejects.toThrow('is not below')
    },
  )

  test('has arguments as React encodes them', () => {
    const json = { price: '$1', list: [null, '$$'] }
    expect(encodeArguments([{ json }])).toBe('[{"price":"$$1","list":[null,"$$$"]}]')
    const form = encodeArguments([{ json: 0 }, { form: [['word', 'oak']] }]) as FormData
    expect([...form]).toEqual([
      ['_1_word', 'oak'],
      ['0', '[0,"$K1"]'],
    ])
  })
})

describe('a request that is not sent', () => {
  const root = '/nowhere'
  const action = { id: `${actionName.hash('app/actions.ts')}#add`, arguments: null }
  const actionWithArguments = { ...action, arguments: [] }

  test.each<[string, Partial<JournalEntry>, StoredRequest | string | null, RegExp]>([
    ['of an error in a browser', { phase: 'browser' }, null, /--test writes a test/],
    ['of an error in the dev server', { buildId: 'development' }, null, /dev server/],
    ['of an error during a build', { phase: 'prerender' }, null, /outside of a request/],
    ['that was not stored', {}, null, /Add replay\(\)/],
    ['that is broken', {}, 'its path is none of this app', /can't be used: its path/],
    ['with effects', {}, { ...request, method: 'POST' }, /--run-action/],
    ['of an action', {}, { ...request, action: actionWithArguments }, /--run-action/],
  ])('says why: %s', (_name, changed, stored, says) => {
    expect(reasonToRefuse(entry({ phase: 'document', ...changed }), stored, { root })).toMatch(says)
  })

  test('without arguments names its action, even with --run-action', () => {
    const root = folder()
    mkdirSync(join(root, 'app'))
    writeFileSync(join(root, 'app/actions.ts'), '')
    const stored = { ...request, action }
    const reason = reasonToRefuse(entry({ phase: 'action' }), stored, { root, runAction: true })
    expect(reason).toContain("arguments: ['app/actions.ts#add']")
    const run = { root, runAction: true }
    expect(
      reasonToRefuse(entry({ phase: 'action' }), { ...request, action: actionWithArguments }, run),
    ).toBeNull()
  })

  test('says if its digest is unknown', async () => {
    const openSession = async () => ({})
    const result = await runReplay('6r3v-0m2k-x7q', { root: folder(), openSession })
    expect(result).toMatchObject({ outcome: 'refused', says: expect.stringContaining('no error') })
  })
})

test('a response is judged by fingerprints, and a guard’s response is not a success', () => {
  const then = entry({ fingerprint: 'aaaaaaaaaa' })
  const outcome = (status: number, failure: JournalEntry | null, session = {}) => {
    const response = { status, headers: new Headers() }
    return judge({ entry: then, request, response, session }, failure).outcome
  }
  expect(outcome(500, entry({ fingerprint: 'aaaaaaaaaa' }))).toBe('same')
  expect(outcome(500, entry({ fingerprint: 'bbbbbbbbbb' }))).toBe('other')
  expect(outcome(200, null)).toBe('fixed')
  expect(outcome(401, null)).toBe('refused')
  expect(outcome(401, null, { cookies: { session: 'abc' } })).toBe('fixed')
})

test('a note names another build', () => {
  expect(otherBuild('then', 'now').join()).toMatch(/build then, but this is the build now. Lines/)
  expect([...otherBuild('now', 'now'), ...otherBuild(null, 'now')]).toEqual([])
})

test('the way to an error contains paths of this app only', () => {
  const browser = { userAgent: null, source: 'error', componentStack: null }
  const navigations = ['/', '/', '//evil.example', '/a', 'javascript:1']
  expect(wayTo({ path: '/a', browser: { ...browser, navigations } })).toEqual(['/', '/a'])
})

describe('a session', () => {
  const context = { entry: entry(), origin: 'http://127.0.0.1:1' }

  test('is created by replay.ts, and --cookie wins', async () => {
    const root = folder()
    const text = `export default ({ origin, entry }) => ({
      cookies: { session: entry.digest, theme: 'dark' }, headers: { 'x-origin': origin } })`
    writeFileSync(join(root, 'replay.ts'), text)
    expect(await sessionFor(root, { theme: 'light' })(context)).toEqual({
      cookies: { session: context.entry.digest, theme: 'light' },
      headers: { 'x-origin': context.origin },
    })
  })

  test('contains no line breaks', async () => {
    const open = sessionFor(folder(), { session: 'a\r\nx: y' })
    await expect(open(context)).rejects.toThrow("can't be sent")
  })

  test('is read from the command line', () => {
    expect(parseCookies('a=1;b=x=y')).toEqual({ a: '1', b: 'x=y' })
    expect(parseCookies('a')).toBeNull()
  })
})

describe('a run of a written test', () => {
  const report = (status: string, ...failureMessages: string[]) => ({
    testResults: [{ assertionResults: [{ status, failureMessages }] }],
  })

  test('is red only if an expectation fails', () => {
    const red = report('failed', "AssertionError: expected 'Error: x' to be ''\n  at x")
    expect(judgeReport(red)).toEqual({
      kind: 'red',
      reason: "AssertionError: expected 'Error: x' to be ''",
    })
    expect(judgeReport(report('failed', 'Error: no browser'))).toEqual({
      kind: 'not run',
      reason: 'Error: no browser',
    })
    expect(judgeReport(report('passed'))).toEqual({ kind: 'green' })
  })

  test('does not count if it skips its test or finds none', () => {
    expect(judgeReport(report('skipped'))).toMatchObject({ kind: 'not run' })
    expect(judgeReport({ testResults: [] }, 'a\nNo test files found\n')).toEqual({
      kind: 'not run',
      reason: 'No test files found',
    })
    const testResults = [{ message: 'waymark build ended with 1', assertionResults: [] }]
    expect(judgeReport({ testResults })).toMatchObject({ reason: 'waymark build ended with 1' })
  })

  test('gets its cookies from the environment', () => {
    expect(withNeededCookies(['a'], { b: '1' }, 'a=2; c=3')).toEqual({ a: '2', b: '1', c: '3' })
    expect(withNeededCookies([], { b: '1' }, '')).toEqual({ b: '1' })
  })

  test('fails without a needed cookie, and with an expired one', () => {
    const how = /replay\.ts.*WAYMARK_REPLAY_COOKIES="session=…"/
    expect(() => withNeededCookies(['session'], {}, '')).toThrow(how)
    const turnedAway = (status: number, headers = {}) => ({ status, headers: new Headers(headers) })
    expect(() => expectAdmitted(['session'], turnedAway(401))).toThrow(how)
    const redirected = turnedAway(307, { location: '/sign-in' })
    expect(() => expectAdmitted(['session'], redirected)).toThrow('status 307 to /sign-in')
    expectAdmitted(['session'], turnedAway(500))
    expectAdmitted([], turnedAway(401))
  })
})

describe('a written test', () => {
  const noSession = { session: undefined, neededCookies: [] }

  const result = (changed: Partial<JournalEntry>): ReplayResult => ({
    outcome: 'same',
    says: '',
    notes: [],
    status: 500,
    failure: null,
    sentCookies: [],
    entry: entry(changed),
    request,
  })

  test('is one file that is never overwritten', () => {
    const root = folder()
    mkdirSync(join(root, 'test'))
    const first = writeTest(root, result({}))
    expect(first).toMatchObject({ isNew: true })
    expect(first?.file.startsWith(join(root, 'test', 'replay-'))).toBe(true)
    writeFileSync(first?.file ?? '', 'mine')
    expect(writeTest(root, result({}))).toMatchObject({ isNew: false })
    expect(readFileSync(first?.file ?? '', 'utf8')).toBe('mine')
    expect(existsSync(join(root, 'tests'))).toBe(false)
  })

  test('contains input from strangers only as strings', () => {
    const message = 'a\nb()\u2028c() */'
    const target = "/a?q=');process.exit()//"
    const text = requestTest(entry({ message, name: 'x\ry()' }), { ...request, target }, noSession)
    expect(text).toContain(`path: "/a?q=');process.exit()//",`)
    expect(text).not.toMatch(/^\s*[bcy]\(\)/m)
    expect(text).not.toContain('\u2028')
  })
})
