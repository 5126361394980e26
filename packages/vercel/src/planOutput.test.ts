import { expect, test } from 'vitest'
import type { BuildContents, BuildFile, BuildPage } from 'waymark/adapter'
import { planOutput } from './planOutput.ts'

const forever: BuildPage['life'] = { revalidateSeconds: null, expireSeconds: null, tags: [] }
const html: [string, string] = ['content-type', 'text/html; charset=utf-8']
const shared: [string, string] = ['x-frame-options', 'SAMEORIGIN']

const fileOf = (file: string, over: Partial<BuildFile> = {}): BuildFile => ({
  file,
  status: 200,
  headers: [html, shared],
  compressed: {},
  isGuarded: false,
  etag: '""',
  size: 1,
  modifiedAtMs: 0,
  ...over,
})

const pageOf = (file: string, over: Partial<BuildPage> = {}): BuildPage => ({
  ...fileOf(file),
  life: forever,
  handlerOnHeaders: [],
  hasCustomCaching: false,
  ...over,
})

const plan = (
  contents: Partial<BuildContents>,
  urls: Partial<Parameters<typeof planOutput>[1]> = {},
) =>
  planOutput(
    { builtAtMs: 0, files: {}, pages: {}, shells: {}, notFound: null, ...contents },
    { basePath: '', trailingSlash: false, ...urls },
  )

test('a static page and its data come from the CDN', () => {
  const pages = {
    '/': pageOf('index.html'),
    '/about': pageOf('about.html'),
    '/_waymark/data/about.rsc': pageOf('about.rsc', {
      life: null,
      handlerOnHeaders: ['waymark-final-status'],
      headers: [['content-type', 'text/x-component'], shared],
    }),
  }
  const { files, routes, functionFiles } = plan({ pages })
  expect(files).toEqual([
    { path: '_waymark/pages/_', from: 'index.html', contentType: html[1] },
    { path: '_waymark/pages/about/_', from: 'about.html', contentType: html[1] },
    {
      path: '_waymark/pages/_waymark/data/about.rsc/_',
      from: 'about.rsc',
      contentType: 'text/x-component',
    },
  ])
  const rule = { headers: Object.fromEntries([shared]), caseSensitive: true }
  const draft = { type: 'cookie', key: '__waymark_draft' }
  const functionRule = { src: '^/.*$', dest: '/_waymark/function' }
  expect(routes).toEqual([
    { ...functionRule, methods: ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] },
    { ...functionRule, src: expect.stringContaining('/_waymark/pages/') },
    { src: '^()/$', dest: '/_waymark/pages$1/_', missing: [draft], ...rule },
    { src: '^(/about)$', dest: '/_waymark/pages$1/_', missing: [draft], ...rule },
    {
      src: '^(/_waymark/data/about\\.rsc)$',
      dest: '/_waymark/pages$1/_',
      missing: [draft, { type: 'header', key: 'waymark-final-status' }],
      ...rule,
    },
    { handle: 'filesystem' },
    functionRule,
    { handle: 'hit' },
  ])
  expect(functionFiles).toEqual(['index.html', 'about.html', 'about.rsc'])
})

test.each<[string, boolean]>([
  ['/_waymark/pages/about/_', true],
  ['/_waymark/data/about.rsc', false],
  ['/pl%61ns', true],
  ['//about', true],
  ['/a/../about', true],
  ['/a/./about', true],
  ['/about.v1..html', false],
  ['/.well-known/x', false],
])('%s always comes from the function: %s', (pathname, isFunction) => {
  const [, rule] = plan({ pages: { '/about': pageOf('about.html') } }).routes
  const { src = '' } = rule as { readonly src?: string }
  expect(new RegExp(src).test(pathname)).toBe(isFunction)
})

test.each<[string, Partial<BuildPage>]>([
  ['a guard', { isGuarded: true }],
  ['a lifetime', { life: { revalidateSeconds: 60, expireSeconds: 3600, tags: [] } }],
  ['an end', { life: { revalidateSeconds: null, expireSeconds: 60, tags: [] } }],
  ['a tag', { life: { ...forever, tags: ['prices'] } }],
])('a page with %s, and its data, come from the function', (_what, over) => {
  const pages = {
    '/page': pageOf('page.html', over),
    '/_waymark/data/page.rsc': pageOf('page.rsc', { life: null }),
  }
  const { files, functionFiles } = plan({ pages })
  expect(files).toEqual([])
  expect(functionFiles).toEqual(['page.html', 'page.rsc'])
})

test.each<[string, Partial<BuildPage>]>([
  ['a redirect', { status: 308, headers: [html, ['location', '/']] }],
  ['an error', { status: 404 }],
  ['two cookies', { headers: [html, ['set-cookie', 'a=1'], ['set-cookie', 'b=2']] }],
  ['no type', { headers: [shared] }],
])('a response with %s comes from the function', (_what, over) => {
  expect(plan({ pages: { '/page': pageOf('page.html', over) } }).files).toEqual([])
})

test('data that a guard protects comes from the function, even if its page has no guard', () => {
  const pages = {
    '/page': pageOf('page.html'),
    '/_waymark/data/page.rsc': pageOf('page.rsc', { life: null, isGuarded: true }),
  }
  expect(plan({ pages }).files.map(({ from }) => from)).toEqual(['page.html'])
})

test('data without a page comes from the function', () => {
  const pages = { '/_waymark/data/page.rsc': pageOf('page.rsc', { life: null }) }
  expect(plan({ pages }).files).toEqual([])
})

test.each(['/gr%C3%B6%C3%9Fe', '/a%2Fb', '/a/', '/a//b', '/a$1', '/(a|b)', '/a+b'])(
  'a page at %s comes from the function',
  (pathname) => {
    const { files } = plan({
      pages: { [pathname]: pageOf('x') },
      files: { [pathname]: fileOf('y') },
    })
    expect(files).toEqual([])
  },
)

test('files come from the CDN, except guarded files and those that stand for a folder', () => {
  const files = {
    '/_waymark/assets/a.js': fileOf('client/_waymark/assets/a.js'),
    '/robots.txt': fileOf('client/robots.txt'),
    '/secret.pdf': fileOf('client/secret.pdf', { isGuarded: true }),
    '/vault/index.html': fileOf('client/vault/index.html'),
  }
  const outcome = plan({ files })
  expect(outcome.files.map(({ path }) => path)).toEqual(['_waymark/assets/a.js', 'robots.txt'])
  expect(outcome.functionFiles).toEqual(['client/secret.pdf', 'client/vault/index.html'])
  expect(outcome.routes.slice(-2)).toEqual([
    {
      src: '^(?:/_waymark/assets/.*)$',
      headers: Object.fromEntries([shared]),
      continue: true,
      caseSensitive: true,
    },
    {
      src: '^(?:/robots\\.txt)$',
      headers: Object.fromEntries([shared]),
      continue: true,
      caseSensitive: true,
    },
  ])
})

test.each([
  ['', true, '^(|/about)/$', ['_waymark/pages/_', '_waymark/pages/about/_']],
  [
    '/docs',
    true,
    '^(/docs|/docs/about)/$',
    ['_waymark/pages/docs/_', '_waymark/pages/docs/about/_'],
  ],
  [
    '/docs',
    false,
    '^(/docs|/docs/about)$',
    ['_waymark/pages/docs/_', '_waymark/pages/docs/about/_'],
  ],
])('with the base path %j, and a slash at the end: %s', (basePath, trailingSlash, src, paths) => {
  const pages = {
    '/': pageOf('index.html'),
    '/about': pageOf('about.html'),
    '/_waymark/data/about.rsc': pageOf('about.rsc', { life: null }),
    '/feed.xml': pageOf('feed.xml'),
    '/.well-known/x': pageOf('x'),
  }
  const contents = { pages, files: { '/a.txt': fileOf('client/a.txt') } }
  const { files, routes } = plan(contents, { basePath, trailingSlash })
  const unslashed = ['/_waymark/data/about.rsc', '/feed.xml', '/.well-known/x']
  const unslashedPaths = unslashed.map((path) => `_waymark/pages${basePath}${path}/_`)
  const file = `${basePath}/a.txt`.slice(1)
  expect(files.map(({ path }) => path).sort()).toEqual([...paths, ...unslashedPaths, file].sort())
  const rules = routes.flatMap((route) => ('src' in route ? [route.src] : []))
  const matching = (url: string) => rules.slice(1, -2).filter((rule) => new RegExp(rule).test(url))
  expect(matching(`${basePath}/feed.xml`)).toHaveLength(1)
  expect(matching(`${basePath}/.well-known/x`)).toHaveLength(1)
  expect(matching(`${basePath}/about${trailingSlash ? '/' : ''}`)).toHaveLength(1)
  expect(matching(`${basePath}/about${trailingSlash ? '' : '/'}`)).toEqual([])
  if (trailingSlash) expect(rules).toContain(src)
})

test('many pages share rules that Vercel accepts, and a page with other headers has its own', () => {
  const names = Array.from({ length: 2_000 }, (_, at) => `/products/number-${at}`)
  const pages = Object.fromEntries(
    names.map((name, at) => {
      const headers: BuildPage['headers'] = at === 7 ? [html, ['link', '</a>']] : [html]
      return [name, pageOf(`${at}.html`, { headers })]
    }),
  )
  const { files, routes } = plan({ pages })
  expect(files).toHaveLength(2_000)
  const rules = routes.flatMap((route) => ('src' in route ? [route] : []))
  expect(rules.length).toBeLessThan(20)
  for (const { src } of rules) expect(src.length).toBeLessThanOrEqual(4_096)
  for (const name of names) {
    expect(rules.slice(1, -1).filter(({ src }) => new RegExp(src).test(name))).toHaveLength(1)
  }
})

test('the function sends the pages for which Vercel has no rule left', () => {
  const pages = Object.fromEntries(
    Array.from({ length: 1_500 }, (_, at) => {
      return [`/${at}`, pageOf(`${at}.html`, { headers: [html, ['etag', `"${at}"`]] })]
    }),
  )
  const { files, routes, functionFiles } = plan({ pages })
  expect(files).toHaveLength(1_000)
  expect(routes.length).toBeLessThan(2_048)
  expect(functionFiles).toHaveLength(1_500)
})
