import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { completeSocial, mergeMetadata } from './merge.ts'
import type { Metadata } from './metadata.ts'
import { metadataTags } from './tags.ts'

function htmlOf(metadata: Metadata): string {
  const page = { origin: 'https://acme.com', pathname: '/blog' }
  const { openGraph, twitter } = completeSocial(mergeMetadata({}, metadata, { page }))
  const social = { ...(openGraph && { openGraph }), ...(twitter && { twitter }) }
  return renderToStaticMarkup(metadataTags(social, {})).replace('<meta charSet="utf-8"/>', '')
}

const meta = (name: string, content: string) => `<meta name="${name}" content="${content}"/>`
const property = (name: string, content: string) =>
  `<meta property="${name}" content="${content}"/>`

describe('Open Graph', () => {
  test.each<[NonNullable<Metadata['openGraph']>, string]>([
    [
      {
        type: 'website',
        url: './',
        siteName: 'Acme',
        locale: 'en_US',
        alternateLocale: ['de_DE'],
        images: [
          { url: '/a.png', secureUrl: '/s.png', width: 800, height: '600', alt: 'A' },
          '/b.png',
        ],
        videos: 'https://acme.com/v.mp4',
        audio: { url: '/a.mp3', type: 'audio/mpeg' },
        emails: 'a@acme.com',
      },
      property('og:type', 'website') +
        property('og:url', 'https://acme.com/blog') +
        property('og:site_name', 'Acme') +
        property('og:locale', 'en_US') +
        property('og:locale:alternate', 'de_DE') +
        property('og:image', 'https://acme.com/a.png') +
        property('og:image:secure_url', 'https://acme.com/s.png') +
        property('og:image:width', '800') +
        property('og:image:height', '600') +
        property('og:image:alt', 'A') +
        property('og:image', 'https://acme.com/b.png') +
        property('og:video', 'https://acme.com/v.mp4') +
        property('og:audio', 'https://acme.com/a.mp3') +
        property('og:audio:type', 'audio/mpeg') +
        property('og:email', 'a@acme.com') +
        meta('twitter:card', 'summary_large_image'),
    ],
    [
      {
        type: 'article',
        publishedTime: '2026-01-01',
        authors: ['Ann', 'Bo'],
        section: 'S',
        tags: ['t'],
      },
      property('og:type', 'article') +
        property('article:published_time', '2026-01-01') +
        property('article:author', 'Ann') +
        property('article:author', 'Bo') +
        property('article:section', 'S') +
        property('article:tag', 't') +
        meta('twitter:card', 'summary'),
    ],
    [
      { type: 'book', releaseDate: '2026', isbn: '1' },
      property('og:type', 'book') +
        property('book:release_date', '2026') +
        property('book:isbn', '1') +
        meta('twitter:card', 'summary'),
    ],
    [
      { type: 'profile', firstName: 'Ann', username: 'ann' },
      property('og:type', 'profile') +
        property('profile:first_name', 'Ann') +
        property('profile:username', 'ann') +
        meta('twitter:card', 'summary'),
    ],
    [
      { type: 'music.song', duration: 60, albums: { url: 'https://a.com', disc: 1, track: 2 } },
      property('og:type', 'music.song') +
        property('music:duration', '60') +
        property('music:album', 'https://a.com') +
        property('music:album:disc', '1') +
        property('music:album:track', '2') +
        meta('twitter:card', 'summary'),
    ],
    [
      {
        type: 'video.episode',
        actors: [{ url: 'https://a.com', role: 'Bo' }],
        series: 'https://s.com',
      },
      property('og:type', 'video.episode') +
        property('video:actor', 'https://a.com') +
        property('video:actor:role', 'Bo') +
        property('video:series', 'https://s.com') +
        meta('twitter:card', 'summary'),
    ],
  ])('%j', (openGraph, expected) => {
    expect(htmlOf({ openGraph })).toBe(expected)
  })
})

describe('Twitter', () => {
  test.each<[NonNullable<Metadata['twitter']>, string]>([
    [
      {
        card: 'summary_large_image',
        site: '@acme',
        siteId: '1',
        creator: '@ann',
        creatorId: '2',
        title: 'A',
        description: 'B',
        images: { url: '/a.png', alt: 'C' },
      },
      meta('twitter:card', 'summary_large_image') +
        meta('twitter:site', '@acme') +
        meta('twitter:site:id', '1') +
        meta('twitter:creator', '@ann') +
        meta('twitter:creator:id', '2') +
        meta('twitter:title', 'A') +
        meta('twitter:description', 'B') +
        meta('twitter:image', 'https://acme.com/a.png') +
        meta('twitter:image:alt', 'C'),
    ],
    [
      {
        card: 'player',
        players: {
          playerUrl: 'https://a.com/p',
          streamUrl: 'https://a.com/s',
          width: 1,
          height: 2,
        },
      },
      meta('twitter:card', 'player') +
        meta('twitter:player', 'https://a.com/p') +
        meta('twitter:player:stream', 'https://a.com/s') +
        meta('twitter:player:width', '1') +
        meta('twitter:player:height', '2'),
    ],
    [
      {
        card: 'app',
        app: { name: 'App', id: { iphone: '1', googleplay: 2 }, url: { iphone: 'https://i' } },
      },
      meta('twitter:card', 'app') +
        meta('twitter:app:name:iphone', 'App') +
        meta('twitter:app:id:iphone', '1') +
        meta('twitter:app:url:iphone', 'https://i') +
        meta('twitter:app:name:googleplay', 'App') +
        meta('twitter:app:id:googleplay', '2'),
    ],
  ])('%j', (twitter, expected) => {
    expect(htmlOf({ twitter })).toBe(expected)
  })
})
