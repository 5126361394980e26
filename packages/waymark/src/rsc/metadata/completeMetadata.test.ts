import { describe, expect, test } from 'vitest'
import { completeMetadata, completeViewport, createIncompleteWarnings } from './completeMetadata.ts'
import type { Metadata, Viewport } from './metadata.ts'
import { createMetadataResolver, type ResolvedHead } from './resolve.ts'

/** Values as apps create them from data, whose types TypeScript doesn't know. */
type Incomplete = Readonly<Record<string, unknown>>

function complete(metadata: Incomplete) {
  const reports: string[] = []
  const result = completeMetadata(metadata as Metadata, (field, value, missing) =>
    reports.push(`${field} ${JSON.stringify(value)} ${missing}`),
  )
  return { result: JSON.parse(JSON.stringify(result)), reports }
}

describe('values for which no tag can be written are left out and reported', () => {
  test.each<[string, Incomplete, unknown, string]>([
    ['an empty image', { openGraph: { images: [{}] } }, { images: [] }, 'openGraph.images {} url'],
    [
      'an image without a list',
      { openGraph: { title: 'A', images: { alt: 'a' } } },
      { title: 'A', images: [] },
      'openGraph.images {"alt":"a"} url',
    ],
    [
      'a video whose URL is null',
      { openGraph: { videos: { url: null } } },
      { videos: [] },
      'openGraph.videos {"url":null} url',
    ],
    [
      'one of several images',
      { twitter: { images: [{ alt: 'a' }, '/a.png', { url: '/b.png' }] } },
      { images: ['/a.png', { url: '/b.png' }] },
      'twitter.images {"alt":"a"} url',
    ],
    [
      'a player without a URL',
      { twitter: { card: 'player', players: [{ width: 1 }] } },
      { card: 'player', players: [] },
      'twitter.players {"width":1} playerUrl',
    ],
    [
      'an app without ids',
      { twitter: { card: 'app', app: { name: 'A' } } },
      { card: 'app' },
      'twitter.app {"name":"A"} id',
    ],
    ['an icon', { icons: [{ sizes: '1x1' }] }, [], 'icons {"sizes":"1x1"} url'],
    [
      'an icon for one use',
      { icons: { icon: '/a.png', apple: [{}] } },
      { icon: ['/a.png'], apple: [] },
      'icons.apple {} url',
    ],
    [
      'a canonical link',
      { alternates: { canonical: { title: 'A' }, languages: { de: '/de' } } },
      { languages: { de: ['/de'] }, media: {}, types: {} },
      'alternates.canonical {"title":"A"} url',
    ],
    [
      'a translation',
      { alternates: { languages: { de: [{}], en: [{ url: '/en' }] } } },
      { languages: { de: [], en: [{ url: '/en' }] }, media: {}, types: {} },
      'alternates.languages {} url',
    ],
    [
      'a startup image',
      { appleWebApp: { title: 'A', startupImage: [{ media: 'print' }] } },
      { title: 'A', startupImage: [] },
      'appleWebApp.startupImage {"media":"print"} url',
    ],
    [
      'an app banner',
      { itunes: { appArgument: 'a' } },
      undefined,
      'itunes {"appArgument":"a"} appId',
    ],
  ])('%s', (_name, metadata, expected, report) => {
    const { result, reports } = complete(metadata)
    const [field = ''] = Object.keys(metadata)
    expect(result[field]).toEqual(expected)
    expect(reports).toEqual([report])
  })

  test('a theme color', () => {
    const viewport = { themeColor: [{ media: 'print' }, null, { color: 'red' }] }
    const reports: unknown[] = []
    const report = (...values: unknown[]) => reports.push(values)
    expect(completeViewport(viewport as Viewport, report)).toEqual({
      themeColor: [{ color: 'red' }],
    })
    expect(reports).toEqual([['themeColor', { media: 'print' }, 'color']])
  })
})

test('null, undefined and empty strings in lists are left out without a report', () => {
  const empty = [null, undefined, '', false]
  const { result, reports } = complete({
    title: 'A',
    authors: [null, { name: 'Ann' }],
    alternates: { canonical: null, languages: { de: null, en: empty } },
    icons: { icon: empty, apple: null },
    openGraph: { images: empty, audio: undefined },
    twitter: { images: null, app: null },
    appleWebApp: null,
    itunes: null,
  })
  expect(result).toEqual({
    title: 'A',
    authors: [{ name: 'Ann' }],
    alternates: { languages: { de: null, en: [] }, media: {}, types: {} },
    icons: { icon: [], apple: null },
    openGraph: { images: [] },
    twitter: { images: null, app: null },
    appleWebApp: null,
    itunes: null,
  })
  expect(reports).toEqual([])
})

test('a page with incomplete metadata is rendered, with one warning for each file and field', async () => {
  const lines: string[] = []
  const resolve = createMetadataResolver(null, (line) => lines.push(line))
  const generateMetadata = () => ({ title: 'Post', openGraph: { images: [{}] } })
  const chain = [
    { file: 'layout.tsx', module: { metadata: { icons: { icon: [{}] } } } },
    { file: 'blog/[slug]/page.tsx', module: { generateMetadata } },
  ]
  const propsOf = () => ({ params: Promise.resolve({}) })
  for (const pathname of ['/blog/a', '/blog/b']) {
    const head: ResolvedHead = await resolve(chain, { origin: null, pathname, propsOf })
    expect(head.tags.map(({ key }) => key)).toContain('og:title')
  }
  expect(lines).toEqual([
    "app/layout.tsx: icons.icon contains {}, which has no url, so the page's head doesn't include it. Set url, or remove the value.",
    "app/blog/[slug]/page.tsx: openGraph.images contains {}, which has no url, so the page's head doesn't include it. Set url, or remove the value.",
  ])
})

test('a long value is cut in a warning', () => {
  const lines: string[] = []
  const report = createIncompleteWarnings((line) => lines.push(line))('page.tsx')
  report('icons', { alt: 'a'.repeat(200) }, 'url')
  expect(lines[0]).toContain(`{"alt":"${'a'.repeat(92)}, which has no url`)
})
