import { describe, expect, test } from 'vitest'
import type { HandlerResponse, HeaderLines } from '../../http/response.ts'
import { type CacheControlContext, withCachePolicy } from './cachePolicy.ts'

const context: CacheControlContext = {
  method: 'GET',
  kind: 'document',
  isPerRequest: true,
  isWrittenByApp: false,
}
const noStore = 'private, no-store'
const cookie: HeaderLines = [['set-cookie', 'a=1']]
const cacheControl = (value: string): HeaderLines => [['cache-control', value]]
const page: HandlerResponse = { status: 200, headers: cacheControl(noStore), body: 'x' }
const redirect: HandlerResponse = { status: 308, headers: [['location', '/b']], body: null }

function linesOf(answer: HandlerResponse): [cacheControl: string[], cdn: string[]] {
  const of = (wanted: string) =>
    answer.headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value)
  return [of('cache-control'), of('cdn-cache-control')]
}

describe('a response that was made for its request', () => {
  test.each<[string, HandlerResponse, HeaderLines, Partial<CacheControlContext>, string[]]>([
    ['a page', page, [], {}, [noStore]],
    ['a redirect', redirect, [], {}, [noStore]],
    ['a redirect that depends on its URL', redirect, [], { isPerRequest: false }, []],
    ['… and sets a cookie', redirect, cookie, { isPerRequest: false }, [noStore]],
    [
      'a page for which the app sets cache-control',
      page,
      cacheControl('public, max-age=9'),
      {},
      ['public, max-age=9'],
    ],
    ['… in a HEAD', page, cacheControl('max-age=9'), { method: 'HEAD' }, ['max-age=9']],
    ['… with a cookie', page, [...cacheControl('max-age=9'), ...cookie], {}, [noStore]],
    ['… of page data', page, cacheControl('max-age=9'), { kind: 'data' }, [noStore]],
    ['… of an action', page, cacheControl('max-age=9'), { method: 'POST' }, [noStore]],
    ['… of an error', { ...page, status: 500 }, cacheControl('max-age=9'), {}, [noStore]],
    ['… of a redirect', redirect, cacheControl('max-age=9'), {}, ['max-age=9']],
    ['… of a draft', page, cacheControl('public, max-age=9'), { isDraft: true }, [noStore]],
  ])('%s', (_, answer, added, part, expected) => {
    expect(linesOf(withCachePolicy(answer, added, { ...context, ...part }))[0]).toEqual(expected)
  })

  const handler = { isWrittenByApp: true }
  const plain: HandlerResponse = {
    status: 200,
    headers: [['content-type', 'text/plain']],
    body: 'x',
  }
  const cachedByApp: HandlerResponse = { ...plain, headers: [['Cache-Control', 'max-age=5']] }
  test.each<[string, HandlerResponse, HeaderLines, Partial<CacheControlContext>, string[]]>([
    ['no use of the request', plain, [], { isPerRequest: false }, []],
    ['some use of the request', plain, [], {}, [noStore]],
    ['a cookie', { ...plain, headers: cookie }, [], { isPerRequest: false }, [noStore]],
    ['its own cache-control', cachedByApp, [], {}, ['max-age=5']],
    [
      'its own cache-control, and another from proxy.ts',
      cachedByApp,
      cacheControl('max-age=9'),
      {},
      ['max-age=5'],
    ],
    ['only the cache-control of proxy.ts', plain, cacheControl('max-age=9'), {}, ['max-age=9']],
    ['its own cache-control, and a cookie of proxy.ts', cachedByApp, cookie, {}, [noStore]],
    ['its own cache-control, in draft mode', cachedByApp, [], { isDraft: true }, [noStore]],
  ])('a handler with %s', (_, answer, added, part, expected) => {
    const settled = withCachePolicy(answer, added, { ...context, ...handler, ...part })
    expect(linesOf(settled)[0]).toEqual(expected)
  })
})

test('a response that sets a cookie is not for CDNs either', () => {
  const headers: HeaderLines = [['cdn-cache-control', 'max-age=9'], ...cookie]
  const settled = withCachePolicy({ ...page, headers }, [], { ...context, isWrittenByApp: true })
  expect(linesOf(settled)).toEqual([[noStore], []])
})

test('a cookie of the response wins over the same cookie of proxy.ts', () => {
  const ended: HandlerResponse = { ...page, headers: [['set-cookie', 'a=; Max-Age=0']] }
  const lines = withCachePolicy(ended, [...cookie, ['x-a', '1']], context).headers
  expect(lines.map(([name, value]) => `${name}: ${value}`)).toEqual([
    'set-cookie: a=1',
    'set-cookie: a=; Max-Age=0',
    'x-a: 1',
    `cache-control: ${noStore}`,
  ])
})

describe('a page that is cached for all', () => {
  const shared: HeaderLines = [
    ['cache-control', 'public, max-age=0, s-maxage=60'],
    ['cdn-cache-control', 'public, max-age=60'],
  ]
  const cached = { status: 200, headers: shared, bodies: [], handlerOnHeaders: [] }
  const inMemory = { ...page, headers: [...shared], cached } as unknown as HandlerResponse
  const ofBuild: HandlerResponse = { ...page, headers: [], prerendered: '/a' }

  test('stays public if proxy.ts did not run', () => {
    const untouched = { ...context, isPerRequest: false }
    expect(withCachePolicy(inMemory, [], untouched)).toBe(inMemory)
    expect(withCachePolicy(ofBuild, [], untouched)).toBe(ofBuild)
  })

  test.each<[string, HeaderLines, string[], string[]]>([
    ['nothing', [], ['private, no-cache'], []],
    ['a header', [['x-a', '1']], ['private, no-cache'], []],
    ['a cookie', [...cacheControl('max-age=9'), ...cookie], [noStore], []],
    ['cache-control', cacheControl('public, s-maxage=9'), ['public, s-maxage=9'], []],
    [
      'cache-control for a CDN',
      [...cacheControl('private'), ['cdn-cache-control', 'max-age=9']],
      ['private'],
      ['max-age=9'],
    ],
  ])('behind a proxy.ts that sets %s', (_, added, cacheControl, cdn) => {
    expect(linesOf(withCachePolicy(inMemory, added, context))).toEqual([cacheControl, cdn])
    // If the app sets no header, an empty value is sent, which removes the file's own header.
    const removing = cdn.length > 0 ? cdn : ['']
    expect(linesOf(withCachePolicy(ofBuild, added, context))).toEqual([cacheControl, removing])
  })

  test('keeps the cache-control that a handler set', () => {
    const cachedByApp = {
      ...inMemory,
      headers: cacheControl('public, max-age=5'),
      hasCustomCaching: true,
    }
    for (const added of [[], cacheControl('max-age=9')]) {
      expect(linesOf(withCachePolicy(cachedByApp, added, context))[0]).toEqual([
        'public, max-age=5',
      ])
    }
    expect(linesOf(withCachePolicy(cachedByApp, cookie, context))[0]).toEqual([noStore])
  })
})
