import { describe, expect, test } from 'vitest'
import { completeSocial, mergeMetadata, mergeViewport } from './merge.ts'
import type { Metadata, ResolvedMetadata } from './metadata.ts'

const page = { origin: 'https://acme.com', pathname: '/blog' }

function merged(...chain: (Metadata | null | undefined)[]): ResolvedMetadata {
  return chain.reduce<ResolvedMetadata>(
    (above, metadata) => mergeMetadata(above, metadata, { page }),
    {},
  )
}

describe('titles', () => {
  const template: Metadata = { title: { template: '%s | Acme', default: 'Acme' } }
  const blog: Metadata = { title: { template: '%s | Blog', default: 'Blog' } }
  test.each<[string, Metadata[], string | undefined]>([
    ['a template applies to a title below', [template, { title: 'About' }], 'About | Acme'],
    ['a template does not apply to its own segment', [template], 'Acme'],
    ['the default is used if no title is set', [template, {}], 'Acme'],
    ['an absolute title ignores the template', [template, { title: { absolute: 'Me' } }], 'Me'],
    ['the template above applies to a default', [template, blog], 'Blog | Acme'],
    ['the nearest template wins', [template, blog, { title: 'Post' }], 'Post | Blog'],
    ['a segment without a title passes a template on', [template, {}, { title: 'A' }], 'A | Acme'],
    ['a title ends the template above it', [template, { title: 'A' }, { title: 'B' }], 'B'],
    [
      'a template without a default keeps the title above',
      [{ title: 'A' }, { title: { template: '%s.' } }],
      'A',
    ],
    ['undefined keeps the title', [{ title: 'A' }, { title: undefined }], 'A'],
    ['null removes the title', [template, { title: null }], undefined],
    ['a title is text, not a pattern', [template, { title: '$& %s' }], '$& %s | Acme'],
    ['each %s is replaced', [{ title: { template: '%s, %s' } }, { title: 'A' }], 'A, A'],
  ])('%s', (_name, chain, expected) => {
    expect(merged(...chain).title?.absolute).toBe(expected)
  })

  test('Open Graph and Twitter have separate templates', () => {
    const result = merged(
      { openGraph: { title: { template: '%s (og)' } }, twitter: { title: { template: '%s (x)' } } },
      { openGraph: { title: 'A' }, twitter: { title: 'B' } },
    )
    expect(result.openGraph?.title?.absolute).toBe('A (og)')
    expect(result.twitter?.title?.absolute).toBe('B (x)')
  })
})

describe('fields', () => {
  test('setting a field replaces the whole field', () => {
    const result = merged(
      { openGraph: { title: 'Acme', description: 'We are' }, category: 'a' },
      { openGraph: { title: 'Blog' } },
    )
    expect(result.openGraph?.description).toBeUndefined()
    expect(result.category).toBe('a')
  })

  test('null removes a field, undefined or a missing export keeps it', () => {
    const above: Metadata = { description: 'A', keywords: ['b'] }
    expect(merged(above, { description: null, keywords: undefined })).toEqual({ keywords: ['b'] })
    expect(merged(above, null, undefined)).toEqual(above)
  })

  test('neither object is changed', () => {
    const parent = merged({ description: 'A' })
    const child: Metadata = { description: 'B', openGraph: { images: '/a.png' } }
    mergeMetadata(Object.freeze(parent), Object.freeze(child), { page })
    expect(parent.description).toBe('A')
    expect(child.openGraph).toEqual({ images: '/a.png' })
  })

  test('icons are grouped by their use', () => {
    expect(merged({ icons: '/a.png' }).icons).toEqual({ icon: [{ url: '/a.png' }] })
    expect(merged({ icons: ['/a.png', { url: '/b.png', sizes: '32x32' }] }).icons).toEqual({
      icon: [{ url: '/a.png' }, { url: '/b.png', sizes: '32x32' }],
    })
    expect(merged({ icons: { apple: '/a.png', shortcut: ['/b.ico'] } }).icons).toEqual({
      apple: [{ url: '/a.png' }],
      shortcut: [{ url: '/b.ico' }],
    })
  })
})

describe('URLs', () => {
  test('a relative URL extends the metadataBase of its segment or of one above', () => {
    const result = merged(
      { metadataBase: new URL('https://a.com'), alternates: { canonical: '/x' } },
      { metadataBase: 'https://b.com/docs', openGraph: { images: '/og.png', url: './' } },
    )
    expect(result.alternates?.canonical).toEqual({ url: 'https://a.com/x' })
    expect(result.openGraph?.images).toEqual([{ url: 'https://b.com/docs/og.png' }])
    expect(result.openGraph?.url).toBe('https://b.com/docs/blog')
  })

  test('without metadataBase, or with null, a relative URL extends the origin', () => {
    const images = { twitter: { images: [{ url: '/a.png', alt: 'A' }] } }
    const expected = [{ url: 'https://acme.com/a.png', alt: 'A' }]
    expect(merged(images).twitter?.images).toEqual(expected)
    const reset = merged({ metadataBase: 'https://b.com' }, { metadataBase: null, ...images })
    expect(reset.twitter?.images).toEqual(expected)
  })

  test('without an origin, a relative URL stays relative', () => {
    const metadata = { alternates: { canonical: './', languages: { de: '/de' } } }
    const result = mergeMetadata({}, metadata, { page: { origin: null, pathname: '/blog' } })
    expect(result.alternates).toEqual({
      canonical: { url: '/blog' },
      languages: { de: [{ url: '/de' }] },
    })
  })

  test('a metadataBase that is not absolute throws, with its value', () => {
    expect(() => merged({ metadataBase: 'acme' })).toThrow(/"acme".*METADATA_BASE/)
  })
})

test('resolved metadata of a parent is valid metadata', () => {
  const parent = merged({
    title: 'A',
    openGraph: { type: 'article', authors: ['Ann'], images: '/a.png' },
    alternates: { canonical: '/a', types: { 'application/rss+xml': '/rss' } },
    icons: '/a.png',
  })
  const metadata: Metadata = {
    ...parent,
    openGraph: { ...parent.openGraph, images: ['/b.png', ...(parent.openGraph?.images ?? [])] },
    alternates: { ...parent.alternates, canonical: '/b' },
  }
  expect(mergeMetadata(parent, metadata, { page })).toEqual({
    ...parent,
    openGraph: {
      ...parent.openGraph,
      images: [{ url: 'https://acme.com/b.png' }, { url: 'https://acme.com/a.png' }],
    },
    alternates: { ...parent.alternates, canonical: { url: 'https://acme.com/b' } },
  })
})

describe('completeSocial', () => {
  test('title and description come from the page', () => {
    const result = completeSocial(
      merged({
        title: 'A',
        description: 'B',
        openGraph: { siteName: 'S' },
        twitter: { site: '@s' },
      }),
    )
    expect(result.openGraph).toMatchObject({ title: { absolute: 'A' }, description: 'B' })
    expect(result.twitter).toMatchObject({ title: { absolute: 'A' }, description: 'B' })
  })

  test('Twitter takes Open Graph first', () => {
    const openGraph = { title: 'OG', description: 'OG text' }
    const result = completeSocial(merged({ title: 'A', openGraph, twitter: {} }))
    expect(result.twitter).toMatchObject({ title: { absolute: 'OG' }, description: 'OG text' })
  })

  test.each<[Metadata, string | undefined]>([
    [{ title: 'A' }, undefined],
    [{ openGraph: {} }, 'summary'],
    [{ openGraph: { images: '/a.png' } }, 'summary_large_image'],
    [{ openGraph: { images: '/a.png' }, twitter: { card: 'summary' } }, 'summary'],
    [{ twitter: { images: ['/a.png'] } }, 'summary_large_image'],
  ])('%j selects the card %s', (metadata, card) => {
    expect(completeSocial(merged(metadata)).twitter?.card).toBe(card)
  })
})

test('viewports merge field by field', () => {
  const above = { width: 'device-width', initialScale: 1 }
  expect(mergeViewport(above, { themeColor: 'red', initialScale: null })).toEqual({
    width: 'device-width',
    themeColor: 'red',
  })
  expect(mergeViewport(above, undefined)).toBe(above)
})
