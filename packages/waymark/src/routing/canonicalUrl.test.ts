import { describe, expect, test } from 'vitest'
import { encodeSegment, type ParsedTarget, parseTarget, segmentProblem } from './canonicalUrl.ts'
import { createRandom } from './testing/random.ts'

const ok = (pathname: string, search = ''): ParsedTarget => ({ kind: 'ok', pathname, search })
const to = (location: string): ParsedTarget => ({ kind: 'redirect', status: 308, location })

describe('a target in canonical form is accepted unchanged', () => {
  test.each([
    '/',
    '/a',
    '/a/b/c',
    '/a.b',
    '/.well-known/x',
    '/...',
    '/..a',
    '/a..',
    '/.a/..b',
    '/~user',
    "/-_.!~*'()$&+,;=:@",
    '/a;v=1',
    '/@me',
    '/caf%C3%A9',
    '/a%20b',
    '/100%25',
    '/%5Bid%5D',
    '/%F0%9F%98%80',
    '/A/a',
  ])('%s', (target) => {
    expect(parseTarget(target)).toEqual(ok(target))
  })
})

describe('percent-encoding is normalized', () => {
  test.each([
    ['/caf%c3%a9', '/caf%C3%A9'],
    ['/%61%62', '/ab'],
    ['/%7Euser', '/~user'],
    ['/%2Dx', '/-x'],
    ['/file%2Etxt', '/file.txt'],
    ['/%40me', '/@me'],
    ['/a%2Cb%3Bc%3Dd%26e%2Bf%24g%3Ah', '/a,b;c=d&e+f$g:h'],
    ['/%27%28%29%2a%21', "/'()*!"],
    ['/[id]', '/%5Bid%5D'],
    ['/a|b', '/a%7Cb'],
    ['/a^b`c"d<e>f{g}', '/a%5Eb%60c%22d%3Ce%3Ef%7Bg%7D'],
    ['/%3f%23', '/%3F%23'],
    ['/%2525', '/%2525'],
    ['/%2541', '/%2541'],
    ['/a%2e', '/a.'],
    ['/%2e%2e%2e', '/...'],
  ])('%s is %s', (target, pathname) => {
    expect(parseTarget(target)).toEqual(ok(pathname))
  })
})

describe('the query stays as sent', () => {
  test.each([
    ['/a?b=c', ok('/a', '?b=c')],
    ['/?x', ok('/', '?x')],
    ['/a?', ok('/a')],
    ['/?', ok('/')],
    ['/a??', ok('/a', '??')],
    ['/a?q=//evil/../%2e%2e/%2f', ok('/a', '?q=//evil/../%2e%2e/%2f')],
    ['/a?q=100%', ok('/a', '?q=100%')],
    ['/a?q=%ff', ok('/a', '?q=%ff')],
    ['/a?q=\\', ok('/a', '?q=\\')],
    ['/%61?b=%61', ok('/a', '?b=%61')],
    ['/.?x', to('/?x')],
  ])('%s', (target, parsed) => {
    expect(parseTarget(target)).toEqual(parsed)
  })
})

describe('a path with extra slashes or dot segments is redirected', () => {
  test.each([
    ['/a/', '/a'],
    ['/a//', '/a'],
    ['//', '/'],
    ['///', '/'],
    ['//evil', '/evil'],
    ['//evil.example', '/evil.example'],
    ['///evil.example/x', '/evil.example/x'],
    ['/a//b', '/a/b'],
    ['/./a', '/a'],
    ['/a/.', '/a'],
    ['/a/./b', '/a/b'],
    ['/a/..', '/'],
    ['/a/../', '/'],
    ['/a/../b', '/b'],
    ['/a/b/../../c', '/c'],
    ['/a/..//evil', '/evil'],
    ['/a/..///evil', '/evil'],
    ['//..a', '/..a'],
    ['/a/?q=1', '/a?q=1'],
    ['//?', '/'],
    ['//evil?//x', '/evil?//x'],
    ['/%61/', '/a'],
    ['/%5Bid%5D//x', '/%5Bid%5D/x'],
  ])('%s to %s', (target, location) => {
    expect(parseTarget(target)).toEqual(to(location))
  })
})

describe('a target that no link contains is refused', () => {
  test.each([
    ['', 'slash'],
    ['a', 'slash'],
    ['*', 'slash'],
    ['?a', 'slash'],
    ['http://evil/', 'slash'],
    ['http://evil', 'slash'],
    ['evil:443', 'slash'],
    ['javascript:alert(1)', 'slash'],
    ['\\evil', 'slash'],
    ['/%', 'malformed'],
    ['/%2', 'malformed'],
    ['/%zz', 'malformed'],
    ['/a%', 'malformed'],
    ['/%ff', 'malformed'],
    ['/%c0%af', 'malformed'],
    ['/%c0%ae%c0%ae/x', 'malformed'],
    ['/%e0%80%af', 'malformed'],
    ['/%ed%a0%80', 'malformed'],
    ['/%u002f', 'malformed'],
    ['/%00', 'control'],
    ['/a%00.png', 'control'],
    ['/%0d%0aset-cookie:x', 'control'],
    ['/%09', 'control'],
    ['/%7f', 'control'],
    ['/%c2%85', 'control'],
    ['/a%2fb', 'slash'],
    ['/a%2Fb', 'slash'],
    ['/%2f', 'slash'],
    ['/%2f%2fevil', 'slash'],
    ['/a%5cb', 'backslash'],
    ['/%5Cevil', 'backslash'],
    ['/\\evil', 'backslash'],
    ['/a\\..\\b', 'backslash'],
    ['/a/..\\b', 'backslash'],
    ['/..', 'above'],
    ['/../', 'above'],
    ['/../etc/passwd', 'above'],
    ['/a/../../b', 'above'],
    ['//..', 'above'],
    ['/./..', 'above'],
    ['/%2e', 'special meaning'],
    ['/%2E', 'special meaning'],
    ['/%2e%2e', 'special meaning'],
    ['/%2E%2E/x', 'special meaning'],
    ['/.%2e/x', 'special meaning'],
    ['/%2e./x', 'special meaning'],
    ['/a/%2e%2e/b', 'special meaning'],
    ['/a/%2e/b', 'special meaning'],
    ['/%252f', 'twice'],
    ['/%252F', 'twice'],
    ['/%252e%252e/x', 'twice'],
    ['/%255c', 'twice'],
    ['/%2500', 'twice'],
    ['/%25252f', 'twice'],
    ['/%250d%250a', 'twice'],
    ['/a b', 'encoded'],
    ['/a\tb', 'encoded'],
    ['/a\r\nb', 'encoded'],
    ['/a\u0000', 'encoded'],
    ['/café', 'encoded'],
    ['/a#b', 'encoded'],
    ['/a?b#c', 'encoded'],
    ['/a?b c', 'encoded'],
    ['/a?b\r\nx: y', 'encoded'],
    ['/a?é', 'encoded'],
    ['/a\n', 'encoded'],
    ['/a?b\n', 'encoded'],
    ['/\ud800', 'encoded'],
  ])('%j', (target, reason) => {
    const parsed = parseTarget(target)
    expect(parsed).toMatchObject({ kind: 'bad', status: 400 })
    expect(parsed.kind === 'bad' && parsed.reason).toContain(reason)
  })

  test.each(['/a', '/[a]'])('a query of more than 1000 pairs is refused after %s', (path) => {
    expect(parseTarget(`${path}?a${'&a'.repeat(999)}`)).toMatchObject({ kind: 'ok' })
    expect(parseTarget(`${path}?a${'&a'.repeat(1_000)}`)).toMatchObject({
      kind: 'bad',
      status: 400,
    })
    expect(parseTarget(`${path}?${'&'.repeat(1_000)}`)).toMatchObject({ kind: 'bad', status: 400 })
  })

  test('a target of more than 8192 characters is too long, even in canonical form', () => {
    expect(parseTarget(`/${'a'.repeat(8191)}`).kind).toBe('ok')
    expect(parseTarget(`/${'a'.repeat(8192)}`)).toMatchObject({ kind: 'bad', status: 414 })
    expect(parseTarget(`/a?${'b'.repeat(8192)}`)).toMatchObject({ kind: 'bad', status: 414 })
    expect(parseTarget('/%'.repeat(5000))).toMatchObject({ kind: 'bad', status: 414 })
  })

  test('a target of more than 100 segments is refused', () => {
    for (const segment of ['/a', '/%61']) {
      expect(parseTarget(segment.repeat(100)).kind).toBe('ok')
      expect(parseTarget(`${segment.repeat(100)}?a=${'/'.repeat(100)}`).kind).toBe('ok')
      expect(parseTarget(segment.repeat(101))).toMatchObject({ kind: 'bad', status: 414 })
    }
  })

  test("the reason doesn't quote the target", () => {
    const parsed = parseTarget('/<script>%ff')
    expect(JSON.stringify(parsed)).not.toContain('script')
  })
})

describe('any target', () => {
  const pieces = ['/', '//', '.', '..', 'a', 'B', '%2e', '%2F', '%5c', '%61', '%C3%A9', '%25']
  const more = ['%', '?', '\\', '@', '[', '%00', '%ff', ':', 'é', ' ', '2f', '\n', '%40', '#']
  const random = createRandom(2026)
  const targets = Array.from({ length: 20_000 }, () => {
    const length = 1 + random.below(10)
    return `/${Array.from({ length }, () => random.pick([...pieces, ...more])).join('')}`
  })

  test("has a canonical form that doesn't change when it's parsed again", () => {
    for (const target of targets) {
      const parsed = parseTarget(target)
      if (parsed.kind !== 'ok') continue
      expect(parseTarget(parsed.pathname + parsed.search)).toEqual(parsed)
    }
  })

  test('is redirected at most once and to a path of this site', () => {
    for (const target of targets) {
      const parsed = parseTarget(target)
      if (parsed.kind !== 'redirect') continue
      expect(parsed.location).toMatch(/^\/(?![/\\])/)
      const { pathname, search } = new URL(parsed.location, 'http://here.example')
      expect(pathname + search).toContain(parsed.location.split('?')[0])
      expect(new URL(parsed.location, 'http://here.example').host).toBe('here.example')
      const next = parseTarget(parsed.location)
      expect(next.kind).toBe('ok')
      if (next.kind === 'ok') expect(next.pathname + next.search).toBe(parsed.location)
    }
  })

  test('has the same pathname as another target if their decoded segments are equal', () => {
    const byDecoded = new Map<string, string>()
    for (const target of targets) {
      const parsed = parseTarget(target)
      if (parsed.kind !== 'ok') continue
      const decoded = JSON.stringify(parsed.pathname.split('/').map(decodeURIComponent))
      expect(byDecoded.get(decoded) ?? parsed.pathname).toBe(parsed.pathname)
      byDecoded.set(decoded, parsed.pathname)
    }
  })

  test('never decodes to a path with dot segments, slashes or control characters in a segment', () => {
    for (const target of targets) {
      const parsed = parseTarget(target)
      if (parsed.kind !== 'ok' || parsed.pathname === '/') continue
      for (const segment of parsed.pathname.slice(1).split('/')) {
        expect(segmentProblem(decodeURIComponent(segment))).toBeNull()
      }
    }
  })

  test('is parsed in time linear to its length', () => {
    const startMs = performance.now()
    for (const piece of ['/a', 'a', '/.', '//', '%2525', '/a.', '.', '-%', '%25']) {
      parseTarget(`/${piece.repeat(8000 / piece.length)}\n`)
    }
    // Allow far more time than parsing needs. A regular expression that backtracks would take minutes.
    expect(performance.now() - startMs).toBeLessThan(1000)
  })
})

describe('a segment', () => {
  test('is encoded in the form that parseTarget accepts unchanged', () => {
    const random = createRandom(5)
    for (let run = 0; run < 5000; run++) {
      const text = random.text(8)
      if (segmentProblem(text)) continue
      const pathname = `/${encodeSegment(text)}`
      expect(parseTarget(pathname)).toEqual(ok(pathname))
      expect(decodeURIComponent(pathname.slice(1))).toBe(text)
    }
  })
})
