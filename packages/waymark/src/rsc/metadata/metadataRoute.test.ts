import { describe, expect, test } from 'vitest'
import { allowedMethods } from '../request/routeHandler.ts'
import { metadataRoute, withMetadataRoutes } from './metadataRoute.ts'

type Kind = Parameters<typeof metadataRoute>[1]
type Get = (request: Request, context: unknown) => Promise<Response>

const context = { params: Promise.resolve({ locale: 'de' }) }

function get(kind: Kind, make: (routeContext: typeof context) => unknown): Promise<Response> {
  const { GET } = metadataRoute(`${kind}.ts`, kind, { default: make })
  return (GET as Get)(new Request('https://site.test'), context)
}

describe('a metadata file', () => {
  test.each<[Kind, unknown, string, string]>([
    ['sitemap', [{ url: 'https://a.test/x' }], 'application/xml', '<loc>https://a.test/x</loc>'],
    ['sitemap', [], 'application/xml', '</urlset>'],
    ['robots', { rules: [{ disallow: '/x' }] }, 'text/plain; charset=utf-8', 'Disallow: /x\n'],
    ['manifest', { name: 'Ä' }, 'application/manifest+json', '{"name":"Ä"}'],
    [
      'manifest',
      { name: 'Acme', display: 'standalone' },
      'application/manifest+json',
      '{"name":"Acme","display":"standalone"}',
    ],
  ])('%s: %j is served as %s', async (kind, value, type, text) => {
    for (const make of [() => value, async () => value]) {
      const response = await get(kind, make)
      expect(response.headers.get('content-type')).toBe(type)
      expect(await response.text()).toContain(text)
    }
  })

  test('gets the params of its folders', async () => {
    const response = await get('sitemap', async ({ params }) => [
      { url: `https://a.test/${(await params).locale}` },
    ])
    expect(await response.text()).toContain('https://a.test/de')
  })

  test.each<[Kind, unknown, string]>([
    [
      'sitemap',
      undefined,
      "app/sitemap.ts can't be served: it did not return a list. Return a list",
    ],
    ['sitemap', { url: 'https://a.test' }, 'it did not return a list'],
    ['sitemap', [{ url: 'https://a.test' }, { url: '/b' }], 'entry 1 of its list has the url "/b"'],
    ['sitemap', [null], 'entry 0 of its list has no url'],
    ['robots', {}, 'it did not return an object with rules'],
    ['robots', 'User-agent: *', 'it did not return an object with rules'],
    ['manifest', [], 'it did not return an object'],
  ])('%s that returns %j is refused', async (kind, value, message) => {
    await expect(get(kind, () => value)).rejects.toThrow(message)
  })

  test('fails with the error of its function', async () => {
    const boom = new Error('boom')
    await expect(get('robots', () => Promise.reject(boom))).rejects.toBe(boom)
  })

  test.each([{}, { default: { rules: [] } }, { GET() {} }])('needs a function: %j', (module) => {
    expect(() => metadataRoute('a/sitemap.ts', 'sitemap', module)).toThrow(
      'app/a/sitemap.ts has no function as its default export.',
    )
  })

  test('keeps its rendering options, and has no methods but GET', () => {
    const { GET, ...others } = metadataRoute('sitemap.ts', 'sitemap', {
      default() {},
      revalidate: 60,
      POST() {},
    })
    expect(others).toEqual({ dynamic: 'auto', revalidate: 60 })
    expect(allowedMethods({ GET, ...others })).toBe('GET, HEAD, OPTIONS')
  })
})

test('other route files are loaded unchanged', async () => {
  const page = { default: () => null }
  const imports = withMetadataRoutes<Readonly<Record<string, unknown>>>({
    'page.tsx': async () => page,
    'robots.ts': async () => ({ default: () => ({ rules: {} }) }),
  })
  expect(await imports['page.tsx']?.()).toBe(page)
  expect(await imports['robots.ts']?.()).toHaveProperty('GET')
})

test('one file can create several sitemaps, each with an id', async () => {
  const route = metadataRoute('shop/[city]/sitemap.ts', 'sitemap', {
    generateSitemaps: async () => [{ id: 0 }, { id: 'b' }],
    generateStaticParams: () => [{ city: 'Bern' }],
    default: async (context: { params: Promise<{ city: string }>; id: Promise<string> }) => {
      const { city, ...others } = await context.params
      expect(others).toEqual({})
      return [{ url: `https://acme.com/${city}/${await context.id}` }]
    },
  }) as {
    GET(request: null, context: { params: Promise<object> }): Promise<Response>
    generateStaticParams(props: { params: object }): Promise<object[]>
  }
  const sets = await route.generateStaticParams({ params: {} })
  expect(sets).toEqual([
    { city: 'Bern', __file: '0.xml' },
    { city: 'Bern', __file: 'b.xml' },
  ])
  const get = (params: object) => route.GET(null, { params: Promise.resolve(params) })
  expect(await (await get(sets[1] ?? {})).text()).toContain('<loc>https://acme.com/Bern/b</loc>')
  expect((await get({ city: 'Bern', __file: '2.xml' })).status).toBe(404)
})
