import type {
  ResolvedOpenGraph,
  ResolvedTwitter,
  TwitterApp,
  TwitterPlayer,
} from '../../shared/openGraph.ts'
import { listOf, type TagContent, type TagList } from './tagList.ts'

/** Field → property below `og:`, in the order of the tags. */
const commonProperties = Object.entries({
  type: 'type',
  determiner: 'determiner',
  title: 'title',
  description: 'description',
  url: 'url',
  siteName: 'site_name',
  locale: 'locale',
  alternateLocale: 'locale:alternate',
  countryName: 'country_name',
  ttl: 'ttl',
  images: 'image',
  videos: 'video',
  audio: 'audio',
  emails: 'email',
  phoneNumbers: 'phone_number',
  faxNumbers: 'fax_number',
})

/** Field → property below `article:`, `book:`, `profile:`, `music:` or `video:`. */
const typedProperties = Object.entries({
  publishedTime: 'published_time',
  modifiedTime: 'modified_time',
  expirationTime: 'expiration_time',
  releaseDate: 'release_date',
  duration: 'duration',
  isbn: 'isbn',
  firstName: 'first_name',
  lastName: 'last_name',
  username: 'username',
  gender: 'gender',
  authors: 'author',
  section: 'section',
  albums: 'album',
  songs: 'song',
  musicians: 'musician',
  creators: 'creator',
  actors: 'actor',
  directors: 'director',
  writers: 'writer',
  series: 'series',
  tags: 'tag',
})

/** Appends the Open Graph tags of a page. */
export function appendOpenGraphTags(tags: TagList, openGraph: ResolvedOpenGraph): void {
  const { title, ...others } = openGraph
  const fields: Record<string, unknown> = { ...others, title: title?.absolute }
  for (const [field, name] of commonProperties) {
    appendProperty(tags, `og:${name}`, fields[field])
  }
  // `music.song` → `music:`; a plain website has no fields of its own.
  const prefix = openGraph.type?.split('.')[0]
  if (!prefix || prefix === 'website') return
  for (const [field, name] of typedProperties) {
    appendProperty(tags, `${prefix}:${name}`, fields[field])
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

function appendProperty(tags: TagList, property: string, value: unknown): void {
  if (value === undefined || value === null) return
  for (const entry of listOf(value)) {
    if (typeof entry !== 'object' || entry === null || entry instanceof URL) {
      tags.property(property, entry as TagContent)
      continue
    }
    const { url, ...facts } = entry as Record<string, TagContent>
    tags.property(property, url)
    for (const [fact, factValue] of Object.entries(facts)) {
      tags.property(`${property}:${fact === 'secureUrl' ? 'secure_url' : fact}`, factValue)
    }
  }
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
