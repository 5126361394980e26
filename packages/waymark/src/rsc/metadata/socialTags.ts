import type {
  ResolvedOpenGraph,
  ResolvedTwitter,
  TwitterApp,
  TwitterPlayer,
} from '../../shared/openGraph.ts'
import { listOf, type TagContent, type TagList } from './tagList.ts'

/** Fields below `og:`, of every type, in the order of their tags; the others stand below `article:`, `book:`, `music:` … */
const commonFields: ReadonlySet<string> = new Set([
  'type',
  'determiner',
  'title',
  'description',
  'url',
  'siteName',
  'locale',
  'alternateLocale',
  'countryName',
  'ttl',
  'images',
  'videos',
  'audio',
  'emails',
  'phoneNumbers',
  'faxNumbers',
])

/** Appends the Open Graph tags of a page. */
export function appendOpenGraphTags(tags: TagList, openGraph: ResolvedOpenGraph): void {
  const fields: Record<string, unknown> = { ...openGraph, title: openGraph.title?.absolute }
  for (const field of commonFields) appendProperty(tags, `og:${propertyName(field)}`, fields[field])
  // `music.song` → `music:`; a plain website has no fields of its own.
  const prefix = openGraph.type?.split('.')[0]
  if (!prefix || prefix === 'website') return
  for (const [field, value] of Object.entries(openGraph)) {
    if (commonFields.has(field)) continue
    appendProperty(tags, `${prefix}:${propertyName(field)}`, value)
  }
}

/** `siteName` is `site_name`; there is a tag for each of a list, so that `authors` is `author`. */
function propertyName(field: string): string {
  if (field === 'alternateLocale') return 'locale:alternate'
  const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return name === 'series' ? name : name.replace(/s$/, '')
}

function appendProperty(tags: TagList, property: string, value: unknown): void {
  for (const entry of listOf(value)) {
    if (typeof entry !== 'object' || entry === null || entry instanceof URL) {
      tags.property(property, entry as TagContent)
      continue
    }
    const { url, ...details } = entry as Record<string, TagContent>
    tags.property(property, url)
    for (const [detail, content] of Object.entries(details)) {
      tags.property(`${property}:${detail === 'secureUrl' ? 'secure_url' : detail}`, content)
    }
  }
}

/** Appends the Twitter card of a page. */
export function appendTwitterTags(tags: TagList, twitter: ResolvedTwitter): void {
  tags.name('twitter:card', twitter.card)
  tags.name('twitter:site', twitter.site)
  tags.name('twitter:site:id', twitter.siteId)
  tags.name('twitter:creator', twitter.creator)
  tags.name('twitter:creator:id', twitter.creatorId)
  tags.name('twitter:title', twitter.title?.absolute)
  tags.name('twitter:description', twitter.description)
  for (const image of twitter.images ?? []) {
    tags.name('twitter:image', image.url)
    tags.name('twitter:image:alt', image.alt)
  }
  if (twitter.card === 'player') {
    for (const player of listOf(twitter.players ?? [])) appendPlayerTags(tags, player)
  }
  if (twitter.card === 'app' && twitter.app) appendStoreTags(tags, twitter.app)
}

function appendPlayerTags(tags: TagList, player: TwitterPlayer): void {
  tags.name('twitter:player', player.playerUrl)
  tags.name('twitter:player:stream', player.streamUrl)
  tags.name('twitter:player:width', player.width)
  tags.name('twitter:player:height', player.height)
}

function appendStoreTags(tags: TagList, app: TwitterApp): void {
  for (const store of ['iphone', 'ipad', 'googleplay'] as const) {
    if (app.id[store]) tags.name(`twitter:app:name:${store}`, app.name)
    tags.name(`twitter:app:id:${store}`, app.id[store])
    tags.name(`twitter:app:url:${store}`, app.url?.[store])
  }
}
