import { describe, expect, test } from 'vitest'
import { toServerRequest } from '../../http/web.ts'
import { createForeignLog, crossOriginReason } from './crossOrigin.ts'

const serverOrigin = 'https://site.test'

function foreign(headers: Record<string, string>, allowed: readonly string[] = []): boolean {
  const request = { ...toServerRequest(new Request(`${serverOrigin}/`, { method: 'POST' })) }
  return crossOriginReason({ ...request, headers: new Headers(headers) }, allowed) !== null
}

describe('a request is foreign', () => {
  test.each<[string, Record<string, string>]>([
    ['according to the browser', { 'sec-fetch-site': 'cross-site' }],
    ['from a sibling site', { 'sec-fetch-site': 'same-site', origin: serverOrigin }],
    ['by its origin', { origin: 'https://evil.test' }],
    ['from an opaque origin', { origin: 'null' }],
    ['from a sandboxed frame', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
    ['when it was typed, from an opaque origin', { 'sec-fetch-site': 'none', origin: 'null' }],
    ['from another scheme', { origin: 'http://site.test' }],
    ['from another port', { origin: 'https://site.test:8443' }],
    ['with cookies, and neither header', { cookie: 'a=b' }],
    ['with basic auth, and neither header', { authorization: 'Basic eA==' }],
    ['when it was typed, with cookies', { 'sec-fetch-site': 'none', cookie: 'a=b' }],
    ['with a forged host', { 'sec-fetch-site': 'cross-site', 'x-forwarded-host': 'evil.test' }],
  ])('%s', (_, headers) => {
    expect(foreign(headers)).toBe(true)
  })
})

describe('a request is the site’s own', () => {
  test.each<[string, Record<string, string>]>([
    ['according to the browser', { 'sec-fetch-site': 'same-origin', cookie: 'a=b' }],
    ['by its origin', { origin: serverOrigin, cookie: 'a=b' }],
    [
      'on a page with no-referrer',
      { 'sec-fetch-site': 'same-origin', origin: 'null', cookie: 'a=b' },
    ],
    [
      'behind a proxy with another host',
      { 'sec-fetch-site': 'same-origin', origin: 'https://public.test', cookie: 'a=b' },
    ],
    [
      'behind a server that terminates TLS',
      { 'sec-fetch-site': 'same-origin', origin: 'http://site.test' },
    ],
    ['from a program without browser credentials', {}],
    ['from a program with a token', { authorization: 'Bearer x' }],
  ])('%s', (_, headers) => {
    expect(foreign(headers)).toBe(false)
  })

  test('from an allowed origin', () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://friend.test' }
    expect(foreign(headers, ['https://friend.test'])).toBe(false)
    expect(foreign(headers, ['https://friend.test.evil.test'])).toBe(true)
  })
})

describe('the log of refused requests', () => {
  test.each([
    [{ kind: 'site', site: 'cross-site' }, /another site.*"cross-site".*allowedOrigins/],
    [{ kind: 'origin', origin: 'null', serverOrigin }, /no-referrer.*HTTPS/],
    [
      { kind: 'origin', origin: 'https://public.test', serverOrigin },
      /"https:\/\/public.test".*"https:\/\/site.test".*--trust-proxy/,
    ],
    [{ kind: 'unsaid' }, /cookies.*neither Sec-Fetch-Site nor Origin/],
  ] as const)('says how to fix it: %j', (reason, text) => {
    const lines: string[] = []
    createForeignLog((line) => lines.push(line))(reason, {
      kind: 'action',
      pathname: '/visit',
    })
    expect(lines).toEqual([expect.stringMatching(text)])
    expect(lines[0]).toContain('"/visit"')
  })

  test('can not be flooded or forged by a client', () => {
    const lines: string[] = []
    const log = createForeignLog(
      (line) => lines.push(line),
      () => 0,
    )
    for (let i = 0; i < 1000; i++) {
      log(
        { kind: 'site', site: `\n\u001b[2J${'x'.repeat(9_000)}` },
        {
          kind: 'WebSocket',
          pathname: '/a',
        },
      )
    }
    expect(lines).toHaveLength(5)
    for (const line of lines) {
      expect([...line].every((character) => character >= ' ')).toBe(true)
      expect(line.length).toBeLessThan(1_000)
    }
  })
})
