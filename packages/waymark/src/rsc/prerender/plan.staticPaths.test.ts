import { describe, expect, test, vi } from 'vitest'
import { buildRouteTree } from '../../routing/testing/buildRouteTree.ts'
import { listStaticPaths, type StaticParams } from './plan.ts'

type Generators = Record<string, (params: StaticParams) => StaticParams[]>

const generatorOf = (generators: Generators) =>
  vi.fn(async (file: string, params: StaticParams) => generators[file]?.(params) ?? null)

async function pathsOf(files: string[], generators: Generators) {
  const tree = buildRouteTree(['layout.tsx', ...files])
  const routes = await listStaticPaths(tree, generatorOf(generators))
  return Object.fromEntries(
    routes.map(({ pattern, pathnames, missingParams }) => [
      pattern,
      missingParams.length > 0 ? { missingParams } : pathnames,
    ]),
  )
}

describe('the pathnames known ahead', () => {
  test('of a static route are its own', async () => {
    expect(await pathsOf(['page.tsx', 'café/page.tsx', 'api/route.ts'], {})).toEqual({
      '/': ['/'],
      '/café': ['/caf%C3%A9'],
      '/api': ['/api'],
    })
  })

  test('of a dynamic route are those its page generates, encoded, each once', async () => {
    const paths = await pathsOf(['blog/[slug]/page.tsx'], {
      'blog/[slug]/page.tsx': () => [{ slug: 'a' }, { slug: 'b c' }, { slug: 'a' }],
    })
    expect(paths).toEqual({ '/blog/[slug]': ['/blog/a', '/blog/b%20c'] })
  })

  test('of nested segments join what parents and children give', async () => {
    const paths = await pathsOf(['[lang]/layout.tsx', '[lang]/[slug]/page.tsx'], {
      '[lang]/layout.tsx': () => [{ lang: 'de' }, { lang: 'en' }],
      '[lang]/[slug]/page.tsx': ({ lang }) =>
        lang === 'de' ? [{ slug: 'x' }, { slug: 'y' }] : [{ slug: 'z' }],
    })
    expect(paths).toEqual({ '/[lang]/[slug]': ['/de/x', '/de/y', '/en/z'] })
  })

  test('may all be given by the page', async () => {
    const paths = await pathsOf(['[a]/[b]/page.tsx'], {
      '[a]/[b]/page.tsx': () => [
        { a: '1', b: '2' },
        { a: '3', b: 4 },
      ],
    })
    expect(paths).toEqual({ '/[a]/[b]': ['/1/2', '/3/4'] })
  })

  test('of rest segments come from lists', async () => {
    const paths = await pathsOf(['docs/[...path]/page.tsx', 'wiki/[[...path]]/page.tsx'], {
      'docs/[...path]/page.tsx': () => [{ path: ['a', 'b'] }],
      'wiki/[[...path]]/page.tsx': () => [{}, { path: [] }, { path: ['a'] }],
    })
    expect(paths).toEqual({
      '/docs/[...path]': ['/docs/a/b'],
      '/wiki/[[...path]]': ['/wiki', '/wiki/a'],
    })
  })

  test('of an image are not known without those of its page', async () => {
    const file = '[lang]/opengraph-image.tsx'
    const paths = await pathsOf(['[lang]/page.tsx', file], { [file]: () => [{}] })
    expect(paths).toMatchObject({
      '/[lang]/opengraph-image/[__file]': { missingParams: ['lang', '__file'] },
    })
  })

  test('are none when a file gives an empty list', async () => {
    expect(await pathsOf(['[id]/page.tsx'], { '[id]/page.tsx': () => [] })).toEqual({ '/[id]': [] })
  })

  test('are unknown where a param has no values', async () => {
    const files = ['[lang]/layout.tsx', '[lang]/[id]/page.tsx', '[lang]/docs/[[...path]]/page.tsx']
    const paths = await pathsOf(files, { '[lang]/layout.tsx': () => [{ lang: 'de' }] })
    expect(paths).toEqual({
      '/[lang]/[id]': { missingParams: ['id'] },
      '/[lang]/docs/[[...path]]': { missingParams: ['path'] },
    })
  })
})

test('a layout is asked once for all routes below it', async () => {
  const tree = buildRouteTree(['layout.tsx', '[l]/layout.tsx', '[l]/a/page.tsx', '[l]/b/page.tsx'])
  const generate = generatorOf({ '[l]/layout.tsx': () => [{ l: 'x' }] })
  await listStaticPaths(tree, generate)
  const layoutCalls = generate.mock.calls.filter(([file]) => file === '[l]/layout.tsx')
  expect(layoutCalls).toHaveLength(1)
})

test('a value that no segment can hold is refused', async () => {
  const paths = pathsOf(['[id]/page.tsx'], { '[id]/page.tsx': () => [{ id: '../x' }] })
  await expect(paths).rejects.toThrow(/PARAM_VALUE/)
})

test.each([
  [{ slg: 'a' }, /app\/blog\/\[slug\]\/page\.tsx returned \{"slg":"a"\}.*objects with slug/],
  [{ slug: 'a', lang: 'de' }, /"lang":"de"/],
  [{}, /returned \{\}/],
  ['a', /returned a/],
])('params that have no URL are refused: %o', async (params, message) => {
  const generators = { 'blog/[slug]/page.tsx': () => [params as StaticParams] }
  await expect(pathsOf(['blog/[slug]/page.tsx'], generators)).rejects.toThrow(message)
})

test('a layout may give params to the routes below it only', async () => {
  const paths = await pathsOf(['[lang]/layout.tsx', '[lang]/[slug]/page.tsx'], {
    '[lang]/layout.tsx': () => [{ lang: 'de', slug: 'x' }],
  })
  expect(paths).toEqual({ '/[lang]/[slug]': ['/de/x'] })
})
