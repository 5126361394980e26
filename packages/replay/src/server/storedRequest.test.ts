import { describe, expect, test } from 'vitest'
import { actionName, createDescribeRequest, readStoredRequest } from './storedRequest.ts'

type Sent = { method?: string; target?: string; headers?: Record<string, string> }

function occurrence({ method = 'GET', target = '/', headers = {} }: Sent, args?: unknown[]) {
  const lines = new Headers(headers)
  return {
    request: {
      method,
      target,
      headers: { get: (name: string) => lines.get(name), entries: () => [...lines.entries()] },
    },
    ...(args && { scope: { action: { id: `${actionHash}#add`, args } } }),
  }
}

const file = 'app/actions.ts'
const actionHash = actionName.hash(file)
const actions = { [`${actionHash}#add`]: [] }
const nothing = { arguments: [], query: [], params: [] }
const lists = { arguments: [`${file}#add`], query: ['q', 'next', 'to', 'token'], params: ['slug'] }
const describeRequest = createDescribeRequest(lists, actions)
const secret = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'

function stored(sent: Sent, args?: unknown[]) {
  const request = describeRequest(occurrence(sent, args))
  // Copy the request through JSON, as a journal on disk does.
  const read = readStoredRequest(JSON.parse(JSON.stringify(request)))
  if (typeof read === 'string') throw new Error(read)
  return read
}

describe('a stored request', () => {
  test('has the method, the target and listed headers', () => {
    const headers = {
      'accept-language': 'de',
      accept: 'text/html',
      'waymark-mounted': 'a,b',
      'user-agent': 'Somebody',
      referer: '/secret',
      'x-own': '1',
    }
    expect(stored({ method: 'HEAD', target: '/a?q=oak&all', headers })).toEqual({
      method: 'HEAD',
      target: '/a?q=oak&all',
      headers: { accept: 'text/html', 'accept-language': 'de', 'waymark-mounted': 'a,b' },
      cookies: [],
      hasBody: false,
      action: null,
      removed: [],
    })
  })

  test('has the names of cookies, but no values', () => {
    const { cookies } = stored({
      headers: { cookie: 'session=abc; theme=dark; broken; =x; a b=c' },
    })
    expect(cookies).toEqual(['session', 'theme'])
  })

  test('loses possible secrets, wherever they are', () => {
    const target = `/reset/${secret}?q=oak&token=abc&next=%2Fa%3Fcode%3D1&mail=x&to=ada%40example.com`
    const headers = { 'accept-language': secret, 'waymark-from': `/reset/${secret}` }
    const request = stored({ target, headers })
    expect(request.target).toBe(
      '/reset/removed?q=oak&token=removed&next=removed&mail=removed&to=removed',
    )
    expect(request.headers).toEqual({})
    expect(request.removed).toContain('query token')
    expect(JSON.stringify(request)).not.toContain('eyJ')
  })

  test.each([
    ['/reset/V1StGXR8Z5', '/reset/removed'],
    ['/verify/482913', '/verify/removed'],
    ['/verify/4829', '/verify/removed'],
    ['/reset/deadbeefcafebabe', '/reset/removed'],
    ['/u/+491701234567', '/u/removed'],
    ['/r/xK', '/r/xK'],
    ['/r/xK9q', '/r/removed'],
    ['/_waymark/data/reset/V1StGXR8Z5.rsc', '/_waymark/data/reset/removed'],
    ['/x?u=joe&p=hunter2', '/x?u=removed&p=removed'],
    ['/x?access=hunter2hunter', '/x?access=removed'],
    ['/x?invite=XK29PQ81', '/x?invite=removed'],
    ['/x?XK29PQ81', '/x?removed'],
    ['/x?q=oak&all&empty=', '/x?q=oak&all&empty='],
    ['/x?token=oak', '/x?token=removed'],
    ['/guide/first-steps/chapter-12/2026-11-29', '/guide/first-steps/chapter-12/2026-11-29'],
    ['/de/%C3%BCber-uns/index.html', '/de/%C3%BCber-uns/index.html'],
  ])('for %s has the target %s', (target, expected) =>
    expect(stored({ target }).target).toBe(expected),
  )

  test('has segments that the route names, and params that the app lists', () => {
    const match = (pattern: string, params: Record<string, string | string[]>) => {
      const { request } = occurrence({ target: '/v2b7/Xk29pQ' })
      return describeRequest({ request, match: { pattern, params } })?.target
    }
    expect(match('/v2b7/[id]', { id: 'Xk29pQ' })).toBe('/v2b7/removed')
    expect(match('/v2b7/[slug]', { slug: 'Xk29pQ' })).toBe('/v2b7/Xk29pQ')
    expect(match('/[...slug]', { slug: ['v2b7', 'Xk29pQ'] })).toBe('/v2b7/Xk29pQ')
  })

  test('has no token in the paths of its headers', () => {
    const { headers, removed } = stored({ headers: { 'waymark-from': '/reset/V1StGXR8Z5' } })
    expect([headers, removed]).toEqual([{}, ['header waymark-from']])
  })

  test('has arguments of listed actions only', () => {
    const fields = new FormData()
    fields.append('word', 'oak')
    fields.append('password', 'x')
    fields.append('file', new File(['x'], 'x.txt'))
    const sent = { method: 'POST', headers: { 'content-length': '12' } }
    expect(stored(sent, [{ count: 0 }, fields]).action).toEqual({
      id: `${actionHash}#add`,
      arguments: [
        { json: { count: 0 } },
        {
          form: [
            ['word', 'oak'],
            ['password', 'removed'],
          ],
        },
      ],
    })
    const other = createDescribeRequest(nothing, actions)(occurrence(sent, ['oak']))
    expect(other).toMatchObject({ action: { id: `${actionHash}#add`, arguments: null } })
  })

  test('is stored for actions of the build, and a warning names the others', () => {
    const lines: string[] = []
    const named = [`${file}#add`, `${file}#ad`, 'actions.ts#add']
    createDescribeRequest({ ...nothing, arguments: named }, actions, (line) => lines.push(line))
    createDescribeRequest(lists, actions, (line) => lines.push(line))
    createDescribeRequest(nothing, {}, (line) => lines.push(line))
    expect(lines).toEqual([expect.stringContaining('app/actions.ts#ad, actions.ts#add.')])
  })

  test('has no form names that look secret', () => {
    const form = new FormData()
    form.append('slug', 'elm')
    form.append('ada@example.com', 'yes')
    form.append('/reset?token=pZk3Qx9vLw7Tb2Rn5Yc8', 'yes')
    const { action, removed } = stored({ method: 'POST' }, [form])
    expect(action?.arguments).toEqual([{ form: [['slug', 'elm']] }])
    expect(removed).toEqual(['a name in argument 0', 'a name in argument 0'])
  })

  test('has no arguments that are too long or not plain data', () => {
    const sent = { method: 'POST' }
    for (const value of ['word '.repeat(2_000), new Map(), Promise.resolve()]) {
      expect(stored(sent, [value]).action).toMatchObject({ arguments: null })
    }
  })

  test('names the action of a call whose arguments were not decoded', () => {
    const headers = { 'waymark-action': `${actionHash}#add` }
    const { action } = stored({ method: 'POST', headers })
    expect(action).toEqual({ id: `${actionHash}#add`, arguments: null })
    expect(stored({ method: 'POST', headers: { 'waymark-action': 'x' } }).action).toBeNull()
  })

  test('has a bounded size, whatever is sent', () => {
    const long = 'word-'.repeat(100_000)
    const headers = {
      accept: long,
      cookie: Array.from({ length: 9_999 }, (_, at) => `c${at}=1`).join(';'),
    }
    expect(describeRequest(occurrence({ target: `/${long}`, headers }))).toBeUndefined()
    const request = describeRequest(occurrence({ target: '/', headers }, ['word '.repeat(2e5)]))
    expect(JSON.stringify(request).length).toBeLessThan(4_000)
  })
})

describe('a stored request from a disk', () => {
  const valid = stored({ target: '/a' })

  test.each([
    ['nothing', undefined],
    ['a text', 'GET /'],
    ['a list', []],
    ['a URL of another host', { ...valid, target: 'https://evil.example/' }],
    ['two slashes', { ...valid, target: '//evil.example/' }],
    ['a backslash', { ...valid, target: '/\\evil.example/' }],
    ['a line break in the target', { ...valid, target: '/a\r\nhost: evil.example' }],
    ['a tab, which URLs drop', { ...valid, target: '/\t/evil.example' }],
    ['a long target', { ...valid, target: `/${'a'.repeat(10_000_000)}` }],
    ['an invalid method', { ...valid, method: 'GET / HTTP/1.1' }],
    ['CONNECT', { ...valid, method: 'CONNECT' }],
    ['a header that is not listed', { ...valid, headers: { host: 'evil.example' } }],
    ['a cookie header', { ...valid, headers: { cookie: 'a=b' } }],
    ['a line break in a header', { ...valid, headers: { accept: 'a\r\nx: y' } }],
    ['a long header', { ...valid, headers: { accept: 'a'.repeat(10_000_000) } }],
    ['a prototype', JSON.parse('{"method":"GET","target":"/","headers":{"__proto__":"x"}}')],
    ['a name from the prototype', { ...valid, headers: { constructor: 'x' } }],
    ['two cookies in one', { ...valid, cookies: ['a=b; c'] }],
    ['many cookies', { ...valid, cookies: Array.from({ length: 1_000_000 }, () => 'a') }],
    ['a wrong action', { ...valid, action: { id: 'a\r\nb', arguments: null } }],
    ['long arguments', { ...valid, action: { id: 'a#b', arguments: [{ json: 'a'.repeat(1e7) }] } }],
    ['wrong arguments', { ...valid, action: { id: 'a#b', arguments: [{ form: [['a', {}]] }] } }],
  ])('is refused: %s', (_name, stored) => {
    expect(readStoredRequest(stored)).toBeTypeOf('string')
  })
})
