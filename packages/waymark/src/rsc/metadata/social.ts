import { frameworkError } from '../../shared/errors.ts'
import type { ResolvedMetadata } from '../../shared/metadata.ts'
import type { Many, ResolvedTitle, TitleInput, UrlInput } from '../../shared/metadataValues.ts'
import type {
  OpenGraph,
  ResolvedOpenGraph,
  ResolvedTwitter,
  Twitter,
} from '../../shared/openGraph.ts'
import { listOf } from './tagList.ts'
import { absolutePageUrl, absoluteUrl, resolveTitle, type UrlBase } from './values.ts'

/** The title templates that hold for a segment. */
export type TitleTemplates = {
  readonly title: string | null
  readonly openGraph: string | null
  readonly twitter: string | null
}

/** Makes the URLs absolute, the title whole, and lists where one was given. */
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
    // Taking the type out of the union and putting it back loses which fields go with it.
  } as ResolvedOpenGraph
}

/** Makes the URLs absolute, the title whole, and lists where one was given. */
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
    // As above: the union's members are told apart by `card`, which is untouched.
  } as ResolvedTwitter
}

/**
 * Fills what Open Graph and Twitter leave out: title and description from the page's own, and
 * for Twitter first from Open Graph. With Open Graph only, Twitter gets no more than the kind
 * of card, because it reads the rest there.
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
    // A `card` of the app's own is kept, so the union stays whole.
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
    // An app in plain JavaScript, or data: its types say otherwise.
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
