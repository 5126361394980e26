import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildRouteTree } from '../../routing/testing/buildRouteTree.ts'
import type { RouteModule } from '../page/routeModules.ts'
import { after } from '../request/after.ts'
import { createIsListed, planRoutes } from './plan.ts'

function app(files: Record<string, RouteModule>) {
  const tree = buildRouteTree(['layout.tsx', ...Object.keys(files)])
  const loaded: string[] = []
  const modules = {
    load(file: string) {
      loaded.push(file)
      return {
        file,
        module: files[file] ?? {},
        styles: null,
        stylesheets: [],
        clientFiles: [],
        mayNeedReact: false,
      }
    },
    assetsOf: () => [],
  }
  return { tree, modules, loaded }
}

const posts = { generateStaticParams: () => [{ slug: 'a' }, { slug: 'b c' }] }

async function planned(files: Record<string, RouteModule>) {
  const { tree, modules } = app(files)
  const routes = await planRoutes({ tree, modules })
  return Object.fromEntries(
    routes.map(({ pattern, pathnames, dynamicReason }) => [pattern, dynamicReason ?? pathnames]),
  )
}

describe('a plan', () => {
  test('runs the tasks of after() in generateStaticParams, and logs those that fail', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => error.mockRestore())
    const ran: string[] = []
    const failure = new Error('no connection')
    const generateStaticParams = () => {
      after(() => Promise.reject(failure))
      after(() => after(() => ran.push('nested')))
      after(Promise.resolve())
      ran.push('params')
      return [{ slug: 'a' }]
    }
    expect(await planned({ 'blog/[slug]/page.tsx': { generateStaticParams } })).toEqual({
      '/blog/[slug]': ['/blog/a'],
    })
    expect(ran).toEqual(['params', 'nested'])
    expect(error.mock.calls).toEqual([[failure]])
  })

  test('lists known URLs, and the reasons why others are unknown', async () => {
    expect(
      await planned({
        'page.tsx': {},
        'blog/[slug]/page.tsx': posts,
        'user/[id]/page.tsx': {},
        'now/page.tsx': { dynamic: 'force-dynamic' },
        'api/route.ts': { GET() {} },
        'feed.xml/route.ts': { GET() {}, dynamic: 'force-static' },
        'sitemap.ts': { GET() {}, dynamic: 'auto' },
        'a/sitemap.ts': { GET() {}, dynamic: 'force-dynamic' },
      }),
    ).toEqual({
      '/': ['/'],
      '/blog/[slug]': ['/blog/a', '/blog/b%20c'],
      '/user/[id]': 'no static params for id',
      '/now': 'force-dynamic in now/page.tsx',
      '/api': 'not force-static',
      '/feed.xml': ['/feed.xml'],
      '/sitemap.xml': ['/sitemap.xml'],
      '/a/sitemap.xml': 'force-dynamic in a/sitemap.ts',
    })
  })

  test('takes options of layouts into account', async () => {
    expect(
      await planned({ 'a/layout.tsx': { revalidate: 0 }, 'a/page.tsx': {}, 'page.tsx': {} }),
    ).toEqual({ '/a': 'revalidate = 0', '/': ['/'] })
  })

  test.each([
    ['throws', () => Promise.reject(new Error('no database')), 'no database'],
    ['returns something else', () => ({ slug: 'a' }), 'it did not return a list of params'],
  ])(
    'names the file whose generateStaticParams %s',
    async (_what, generateStaticParams, reason) => {
      await expect(planned({ 'blog/[slug]/page.tsx': { generateStaticParams } })).rejects.toThrow(
        `generateStaticParams (blog/[slug]/page.tsx) could not be prerendered: ${reason}`,
      )
    },
  )
})

describe('a route with dynamicParams = false', () => {
  const closed = { ...posts, dynamicParams: false }

  test('responds to the URLs that the build listed', () => {
    const { tree, modules, loaded } = app({ 'blog/[slug]/page.tsx': closed })
    const isListed = createIsListed({
      closed: { '/blog/[slug]': ['/blog/a'] },
      tree,
      modules,
    })
    expect(isListed('/blog/[slug]', '/blog/a')).toBe(true)
    expect(isListed('/blog/[slug]', '/blog/z')).toBe(false)
    expect(isListed('/other/[id]', '/other/1')).toBe(true)
    expect(loaded).toEqual([])
  })

  test('calls its own files in development, and no others', async () => {
    const { tree, modules, loaded } = app({
      'blog/[slug]/page.tsx': closed,
      'user/[id]/page.tsx': posts,
      'page.tsx': {},
    })
    const isListed = createIsListed({ closed: null, tree, modules })
    expect(await isListed('/blog/[slug]', '/blog/b%20c')).toBe(true)
    expect(await isListed('/blog/[slug]', '/blog/z')).toBe(false)
    expect(new Set(loaded)).toEqual(new Set(['layout.tsx', 'blog/[slug]/page.tsx']))
    expect(await isListed('/', '/')).toBe(true)
  })
})
