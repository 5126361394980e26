import { afterEach, expect, test, vi } from 'vitest'
import { toServerRequest } from '../../http/web.ts'
import { createMatcher } from '../../routing/match.ts'
import { buildRouteTree } from '../../routing/testing/buildRouteTree.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

async function read(target: string, basePath = '') {
  vi.resetModules()
  vi.stubEnv('WAYMARK_TRAILING_SLASH', 'true')
  vi.stubEnv('WAYMARK_BASE_PATH', basePath)
  const { readRequest } = await import('./readRequest.ts')
  const request = toServerRequest(new Request('https://site.test/'))
  const parsed = readRequest({ ...request, target })
  if (parsed.kind === 'redirect') return `to ${parsed.location}`
  return 'pathname' in parsed ? `${parsed.kind} ${parsed.pathname}${parsed.search}` : parsed.kind
}

test.each([
  ['/', 'document /'],
  ['/a/', 'document /a'],
  ['/a/?b=/', 'document /a?b=/'],
  ['/a', 'to /a/'],
  ['/a?b=/', 'to /a/?b=/'],
  ['/h%6Fhe/', 'document /hohe'],
  ['/a.txt', 'document /a.txt'],
  ['/a.txt/', 'to /a.txt'],
  ['/.well-known/me', 'document /.well-known/me'],
  ['/_waymark/data/a.rsc', 'data /a'],
  ['//', 'to /'],
  ['//evil.example', 'to /evil.example'],
  ['//evil/', 'to /evil/'],
  ['/a//', 'to /a/'],
  ['/a/./b', 'to /a/b/'],
  ['/%2F/', 'bad'],
  ['/..//evil/', 'bad'],
  ['/\\evil/', 'bad'],
])('with slashes at the end, %s is %s', async (target, expected) => {
  expect(await read(target)).toBe(expected)
})

test.each([
  ['/docs/', 'document /'],
  ['/docs', 'to /docs/'],
  ['/docs/a', 'to /docs/a/'],
  ['/docs/a/', 'document /a'],
  ['/docs/_waymark/data/a.rsc', 'data /a'],
  ['/other', 'outside'],
  ['/other/', 'outside'],
])('with a base path, %s is %s', async (target, expected) => {
  expect(await read(target, '/docs')).toBe(expected)
})

test.each(['/docs/a', '/docs/a/', '/docs/a/?b', '/docs/_waymark/data/a.rsc'])(
  'with and without a slash at the end, %s has a route',
  async (target) => {
    await read('/', '/docs')
    const { createRouteOf } = await import('./readRequest.ts')
    const routeOf = createRouteOf(createMatcher(buildRouteTree(['layout.tsx', 'a/page.tsx'])))
    expect(routeOf(target)).toBe('/a')
    expect(routeOf('/docs/b/')).toBe(null)
    expect(routeOf('/a/')).toBe(null)
  },
)

test.each([
  '/_waymark/data/admin/...rsc',
  '/_waymark/data/admin/..rsc',
  '/_waymark/data/admin/.rsc',
  '/_waymark/data/...rsc',
  '/_waymark/data/..rsc',
])('the suffix of page data can not turn %s into another path', async (target) => {
  vi.resetModules()
  vi.unstubAllEnvs()
  const { readRequest } = await import('./readRequest.ts')
  expect(readRequest({ target })).toMatchObject({ kind: 'bad', status: 400 })
})

test.each([
  ['/_waymark/data/a...rsc', '/a..'],
  ['/_waymark/data/....rsc', '/...'],
  ['/_waymark/data/h%C3%B6he.rsc', '/h%C3%B6he'],
  ['/_waymark/data/a.rsc.rsc', '/a.rsc'],
])('page data of %s is for the page %s', async (target, pathname) => {
  vi.resetModules()
  vi.unstubAllEnvs()
  const { readRequest } = await import('./readRequest.ts')
  expect(readRequest({ target })).toMatchObject({ kind: 'data', pathname })
})
