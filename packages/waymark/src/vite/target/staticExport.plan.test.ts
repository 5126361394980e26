import { describe, expect, test } from 'vitest'
import type { RouteManifest } from '../../builds/buildManifest.ts'
import type { PrerenderedFile } from '../../builds/cachedPage.ts'
import type { UsedFeature } from '../config/hostAdapter.ts'
import { planStaticFolder } from './staticExport.ts'

const html: PrerenderedFile['headers'] = [['Content-Type', 'text/html; charset=utf-8']]

function plan(
  pages: Readonly<Record<string, PrerenderedFile>>,
  routes: Partial<RouteManifest>[] = [],
  serverFeatures: string[] = [],
  guarded: string[] = [],
  uses: string[] = [],
) {
  const isGuarded = (pathname: string) => guarded.includes(pathname)
  const guardedFiles = guarded.filter((pathname) => !Object.hasOwn(pages, pathname))
  const contents = {
    files: Object.fromEntries(guardedFiles.map((pathname) => [pathname, { isGuarded: true }])),
    pages: Object.fromEntries(
      Object.entries(pages).map(([pathname, page]) => [
        pathname,
        { ...page, isGuarded: isGuarded(pathname) },
      ]),
    ),
    notFound: null,
  }
  const usedFeatures: UsedFeature[] = [
    ...uses.map((text): UsedFeature => ({ feature: 'streams', text })),
    { feature: 'sharedState', text: 'pages with a lifetime' },
  ]
  const build = { routes: routes as RouteManifest[], serverFeatures, usedFeatures }
  return planStaticFolder(contents, build)
}

function file(name: string, headers = html, status = 200): PrerenderedFile {
  return { file: `prerendered/${name}`, status, headers }
}

describe('a static folder', () => {
  test('contains documents as folders, and other files under their names', () => {
    const { files, missing } = plan({
      '/': file('index.html'),
      '/caf%C3%A9/menu': file('m.html'),
      '/_waymark/data.rsc': file('index.rsc', [['content-type', 'text/x-component']]),
      '/feed.xml': file('feed.body', [['content-type', 'application/xml']]),
    })
    expect(files.map((each) => each.file)).toEqual([
      'index.html',
      'café/menu/index.html',
      '_waymark/data.rsc',
      'feed.xml',
    ])
    expect(missing).toEqual([])
  })

  test('turns redirects into documents that redirect, and leaves out not-found pages', () => {
    const { files } = plan({
      '/old': file('old.html', [['location', '/new?a=1&b="2"']], 308),
      '/_waymark/data/old.rsc': file('old.rsc', [['location', '/_waymark/data/new.rsc']], 307),
      '/gone': file('gone.html', html, 404),
    })
    expect(files).toHaveLength(1)
    expect(files[0]).toMatchObject({ file: 'old/index.html' })
    expect(files[0] && 'text' in files[0] && files[0].text).toContain(
      'content="0;url=/new?a=1&amp;b=&quot;2&quot;"',
    )
  })

  test("lists the parts that it can't contain, with reasons", () => {
    const { missing } = plan(
      {
        '/feed': file('feed.body', [['content-type', 'text/plain']]),
        '/feed/latest': file('latest.html'),
        '/teapot': file('teapot.body', [], 418),
      },
      [
        { pattern: '/account', rendering: { kind: 'dynamic', reason: 'uses cookies()' } },
        {
          pattern: '/[id]',
          rendersOthers: true,
          rendering: { kind: 'static', count: 0, revalidateSeconds: null },
        },
        {
          pattern: '/blog/[id]',
          rendersOthers: true,
          rendering: { kind: 'static', count: 2, revalidateSeconds: null },
        },
      ],
      ['server actions'],
    )
    expect(missing).toEqual([
      'server actions',
      '/account (uses cookies())',
      '/[id] (no static params)',
      '/teapot (its status is 418)',
      '/feed (other URLs need a folder with this name)',
    ])
  })

  test('lists the features of a host that the app uses, except for shared state', () => {
    const live = 'live pages and streams (app/board/page.tsx)'
    expect(plan({ '/': file('index.html') }, [], [], [], [live]).missing).toEqual([live])
  })

  test('leaves out files guarded by proxy.ts, because nothing runs it there', () => {
    const { files, missing } = plan(
      {
        '/': file('index.html'),
        '/vault': file('vault.html'),
        '/_waymark/data/vault.rsc': file('vault.rsc', [['content-type', 'text/x-component']]),
      },
      [],
      ['proxy.ts, or around() in server.ts'],
      ['/vault', '/_waymark/data/vault.rsc', '/vault/plan.pdf'],
    )
    expect(files.map((each) => each.file)).toEqual(['index.html'])
    expect(missing).toEqual([
      'proxy.ts, or around() in server.ts',
      '/vault, /vault/plan.pdf (each request needs proxy.ts or around())',
    ])
  })

  test('lists only a few of many guarded URLs', () => {
    const guarded = Array.from({ length: 12 }, (_, index) => `/vault/${index}`)
    expect(plan({}, [], [], guarded).missing).toEqual([
      `${guarded.slice(0, 5).join(', ')} and 7 more (each request needs proxy.ts or around())`,
    ])
  })

  test('reports URLs that would share a file', () => {
    const text = file('index.body', [['content-type', 'text/plain']])
    expect(plan({ '/': file('index.html'), '/index.html': text }).missing).toEqual([
      '/index.html (another URL needs the same file)',
    ])
  })
})
