import { expect, test } from 'vitest'
import { describeApp, describeModes } from './harness/describeModes.ts'
import { type RawAnswer, rawRequest } from './harness/rawRequest.ts'

const noStore = 'private, no-store'
const data = (path: string) => `/_waymark/data${path}.rsc`

/**
 * Returns the caching headers, with repeated lines joined, because two lines would contradict each
 * other.
 */
const cachingOf = ({ headers }: RawAnswer) => [
  headers.get('cache-control'),
  headers.get('cdn-cache-control'),
]

describeApp('cache-control of responses', { app: 'proxied' }, (served) => {
  const ask = (path: string) => rawRequest(served.app.origin, path)

  test('the header of proxy.ts is the only cache-control line', async () => {
    const cacheControl = 'public, max-age=0, s-maxage=9'
    expect(cachingOf(await ask('/said'))).toEqual([cacheControl, null])
    expect(cachingOf(await ask('/said-kept'))).toEqual([cacheControl, null])
    // Page data must not be cached, because it depends on the segments that the browser has
    // mounted.
    expect(cachingOf(await ask(data('/said')))).toEqual([noStore, null])
  })

  test.each([
    ['/moved', 308],
    ['/unmatched-moved', 308],
    ['/old', 308],
    ['/signalled', 307],
    ['/guarded/plan', 307],
    ['/hidden', 404],
    ['/no/such/page', 404],
    ['/broken', 500],
    ['/answered', 203],
    ['/seen', 200],
  ])('%s was decided for its request: nobody caches it or its data', async (path, status) => {
    const answer = await ask(path)
    expect([answer.status, ...cachingOf(answer)]).toEqual([status, noStore, null])
    const [caching] = cachingOf(await ask(data(path)))
    expect(caching).toBe(noStore)
  })

  test.each([
    ['reads', noStore],
    ['reads-request', noStore],
    ['reads-and-says', 'private, max-age=9'],
    ['sets', noStore],
    ['sets-itself', noStore],
    ['redirects', noStore],
    ['plain', null],
  ])('a route handler: %s', async (kind, expected) => {
    expect(cachingOf(await ask(`/unmatched-api/${kind}`))).toEqual([expected, null])
  })
})

const built = { app: 'proxied', modes: ['production'] } as const

describeModes('cache-control of prerendered pages', built, (served) => {
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    rawRequest(served.app.origin, path, { headers })
  const session = { cookie: 'session=good' }

  test('a page behind proxy.ts is private and revalidated each time', async () => {
    for (const path of ['/guarded/timed', '/guarded/plan', '/guarded/api']) {
      for (const target of path.endsWith('api') ? [path] : [path, data(path)]) {
        const answer = await ask(target, session)
        expect([target, answer.status]).toEqual([target, 200])
        expect([target, ...cachingOf(answer)]).toEqual([target, 'private, no-cache', null])
        const etag = answer.headers.get('etag') ?? 'none'
        const again = await ask(target, { ...session, 'if-none-match': etag })
        expect([again.status, ...cachingOf(again)]).toEqual([304, 'private, no-cache', null])
        const refused = await ask(target)
        expect([refused.status, ...cachingOf(refused)]).toEqual([307, noStore, null])
      }
    }
  })

  test('a page that proxy.ts does not match is cacheable by everybody', async () => {
    for (const target of ['/unmatched-timed', data('/unmatched-timed')]) {
      expect(cachingOf(await ask(target))).toEqual([
        expect.stringContaining('public'),
        expect.stringContaining('public'),
      ])
    }
  })
})
