import { frameworkError } from '../../shared/errors.ts'
import type { ResolvedMetadata } from '../../shared/metadata.ts'
import type { Many, ResolvedTitle, TitleInput, UrlInput } from '../../shared/metadataValues.ts'
import type {
  OpenGraph,
  ResolvedOpenGraph,
  ResolvedTwitter,
  Twitter,
  TwitterApp,
  TwitterPlayer,
} from '../../shared/openGraph.ts'
import { listOf, type TagContent, type TagList } from './tagList.ts'
import { absolutePageUrl, absoluteUrl, resolveTitle, type UrlBase } from './values.ts'

export type TitleTemplates = {
  readonly title: string | null
  readonly openGraph: string | null
  readonly twitter: string | null
}

/** Makes URLs absolute, completes the title, and turns single values into lists. */
export function resolveOpenGraph(
  openGraph: OpenGraph,
  template: string | null,
  base: UrlBase,
): ResolvedOpenGraph {
  const { title, url, images, videos, audio, ...others } = openGraph
  return {
    ...others,
    ...resolvedTitle(title, template),
    ...(url && { url: absolutePageUrl(url, base) }),
    ...(images && { images: media('openGraph.images', images, base) }),
    ...(videos && { videos: media('openGraph.videos', videos, base) }),
    ...(audio && { audio: media('openGraph.audio', audio, base) }),
    // TypeScript loses the relation of `type` and the other fields.
  } as ResolvedOpenGraph
}

/** Makes URLs absolute, completes the title, and turns single values into lists. */
export function resolveTwitter(
  twitter: Twitter,
  template: string | null,
  base: UrlBase,
): ResolvedTwitter {
  const { title, images, ...others } = twitter
  return {
    ...others,
    ...resolvedTitle(title, template),
    ...(images && { images: media('twitter.images', images, base) }),
    // TypeScript loses the relation of `card` and the other fields.
  } as ResolvedTwitter
}

/**
 * Fills missing fields: title and description from the page, for Twitter first from Open Graph.
 * With Open Graph only, Twitter gets just the kind of card, because it reads the rest there.
 */
export function completeSocial(metadata: ResolvedMetadata): ResolvedMetadata {
  if (!metadata.openGraph && !metadata.twitter) return metadata
  const openGraph = metadata.openGraph && filled(metadata.openGraph, metadata)
  const twitter = metadata.twitter && filled(filled(metadata.twitter, openGraph), metadata)
  const hasImages = Boolean(twitter?.images?.length || openGraph?.images?.length)
  const card = { card: twitter?.card ?? (hasImages ? 'summary_large_image' : 'summary') }
  return {
    ...metadata,
    ...(openGraph && { openGraph }),
    // A `card` of the app stays, so the union stays valid.
    twitter: { ...twitter, ...card } as ResolvedTwitter,
  }
}

type Described = { title?: ResolvedTitle; description?: string | null | undefined }

function filled<T extends Described>(target: T, source: Described | undefined): T {
  const title = target.title?.absolute ? target.title : (source?.title ?? target.title)
  const description = target.description ?? source?.description
  return { ...target, ...(title && { title }), ...(description && { description }) }
}

function resolvedTitle(
  title: TitleInput | null | undefined,
  template: string | null,
): { title?: ResolvedTitle } {
  return title ? { title: resolveTitle(title, template, '') } : {}
}

type MediaObject = { url: UrlInput; secureUrl?: UrlInput | null | undefined }

function media<T extends MediaObject>(
  field: string,
  value: Many<UrlInput | T>,
  base: UrlBase,
): MediaObject[] {
  return listOf<UrlInput | T>(value).map((entry) => {
    if (typeof entry === 'string' || entry instanceof URL) return { url: absoluteUrl(entry, base) }
    // JavaScript apps and data may ignore the types.
    const given = entry as Partial<MediaObject> | null
    if (given?.url === undefined || given.url === null) {
      throw frameworkError('METADATA_MEDIA', { field, value: JSON.stringify(entry) })
    }
    const { secureUrl } = entry
    const url = absoluteUrl(entry.url, base)
    return secureUrl
      ? { ...entry, url, secureUrl: absoluteUrl(secureUrl, base) }
      : { ...entry, url }
  })
}

/**
 * Fields of every type under `og:`, in tag order; other fields use `article:`, `book:`, `music:` …
 */
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

export function appendOpenGraphTags(tags: TagList, openGraph: ResolvedOpenGraph): void {
  const fields: Record<string, unknown> = { ...openGraph, title: openGraph.title?.absolute }
  for (const field of commonFields) appendProperty(tags, `og:${propertyName(field)}`, fields[field])
  // `music.song` → `music:`; a plain website has no own fields.
  const prefix = openGraph.type?.split('.')[0]
  if (!prefix || prefix === 'website') return
  for (const [field, value] of Object.entries(openGraph)) {
    if (commonFields.has(field)) continue
    appendProperty(tags, `${prefix}:${propertyName(field)}`, value)
  }
}

/** `siteName` is `site_name`; lists have one tag per item, so `authors` is `author`. */
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
