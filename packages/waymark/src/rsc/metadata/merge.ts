import { basePath } from '../../shared/basePath.ts'
import type {
  AlternateLink,
  Alternates,
  Icon,
  IconObject,
  Icons,
  Metadata,
  MetadataFields,
  ResolvedAlternates,
  ResolvedIcons,
  ResolvedMetadata,
  ResolvedViewport,
  Viewport,
} from './metadata.ts'
import type {
  Many,
  OpenGraph,
  ResolvedOpenGraph,
  ResolvedTitle,
  ResolvedTwitter,
  TitleInput,
  Twitter,
  UrlInput,
} from './openGraph.ts'
import {
  absolutePageUrl,
  absoluteUrl,
  listOf,
  resolveTitle,
  rootOf,
  type UrlBase,
} from './values.ts'

export type TitleTemplates = {
  readonly title: string | null
  readonly openGraph: string | null
  readonly twitter: string | null
}

export type PageLocation = {
  /** Origin of the request, such as `https://example.com`; `null` if unknown, as during prerendering. */
  readonly origin: string | null
  readonly pathname: string
}

type MergeScope = {
  readonly page: PageLocation
  /** Title templates for the segment. Default: its parent's templates. */
  readonly templates?: TitleTemplates
}

/**
 * Merges a segment's metadata into the metadata of the segments above it, field by field. `null` removes a field, and
 * `undefined` keeps it.
 * @returns a new object with absolute URLs
 */
export function mergeMetadata(
  parent: ResolvedMetadata,
  child: Metadata | null | undefined,
  scope: MergeScope,
): ResolvedMetadata {
  if (!child) return parent
  const { templates = templatesOf(parent), page } = scope
  const { metadataBase = parent.metadataBase } = child
  const context: FieldContext = { parent, templates, base: urlBase(metadataBase, page) }
  return overlay(parent, child, (name, value) => {
    // Each resolver accepts its own field's type, so cast.
    const resolve = fieldResolvers[name as keyof MetadataFields] as Resolve | undefined
    return resolve ? resolve(value, context) : value
  })
}

export function mergeViewport(
  parent: ResolvedViewport,
  child: Viewport | null | undefined,
): ResolvedViewport {
  return child ? overlay(parent, child, (_name, value) => value) : parent
}

/** Returns the title templates that the segments below inherit. */
export function templatesOf(metadata: ResolvedMetadata): TitleTemplates {
  return {
    title: metadata.title?.template ?? null,
    openGraph: metadata.openGraph?.title?.template ?? null,
    twitter: metadata.twitter?.title?.template ?? null,
  }
}

type Resolve = (value: unknown, context: FieldContext) => unknown

function overlay<T extends object>(
  parent: T,
  child: object,
  resolveField: (name: string, value: unknown) => unknown,
): T {
  const merged = { ...parent } as Record<string, unknown>
  for (const [name, value] of Object.entries(child)) {
    if (value === undefined) continue
    if (value === null) delete merged[name]
    else merged[name] = resolveField(name, value)
  }
  // Each field was resolved to its type, so cast.
  return merged as T
}

type FieldContext = {
  readonly parent: ResolvedMetadata
  readonly templates: TitleTemplates
  readonly base: UrlBase
}

type FieldResolvers = {
  readonly [Name in keyof MetadataFields]?: (
    value: MetadataFields[Name],
    context: FieldContext,
  ) => unknown
}

const fieldResolvers: FieldResolvers = {
  title: (title, { parent, templates }) =>
    resolveTitle(title, templates.title, parent.title?.absolute ?? ''),
  metadataBase: rootOf,
  alternates: resolveAlternates,
  icons: resolveIcons,
  openGraph: resolveOpenGraph,
  twitter: resolveTwitter,
}

function urlBase(metadataBase: UrlInput | null | undefined, page: PageLocation): UrlBase {
  let root: URL | null | undefined
  // Compute values only when they are read, so that we know if the result depends on the request.
  return {
    root() {
      if (root === undefined) {
        root = rootOf(metadataBase ?? (page.origin && page.origin + basePath))
      }
      return root
    },
    pathname: () => page.pathname,
  }
}

function resolveAlternates(alternates: Alternates, { base }: FieldContext): ResolvedAlternates {
  const resolved: ResolvedAlternates = {}
  if (alternates.canonical) resolved.canonical = resolveLink(alternates.canonical, base)
  for (const group of ['languages', 'media', 'types'] as const) {
    const links = alternates[group]
    if (links) resolved[group] = resolveGroup(links, base)
  }
  return resolved
}

/** Groups icons by use. Their URLs stay relative to the page's host. */
function resolveIcons(icons: MetadataFields['icons']): ResolvedIcons {
  if (typeof icons === 'string' || icons instanceof URL || Array.isArray(icons)) {
    return { icon: iconList(icons as Many<Icon>) }
  }
  const byUse = icons as Icons
  const resolved: ResolvedIcons = {}
  for (const use of ['icon', 'shortcut', 'apple', 'other'] as const) {
    const icon = byUse[use]
    if (icon) resolved[use] = iconList(icon)
  }
  return resolved
}

function resolveGroup(
  links: NonNullable<Alternates['languages']>,
  base: UrlBase,
): Record<string, AlternateLink[]> {
  const resolved: Record<string, AlternateLink[]> = {}
  for (const [key, value] of Object.entries(links)) {
    if (value)
      resolved[key] = listOf<UrlInput | AlternateLink>(value).map((link) => resolveLink(link, base))
  }
  return resolved
}

function resolveLink(link: UrlInput | AlternateLink, base: UrlBase): AlternateLink {
  if (typeof link === 'string' || link instanceof URL) return { url: absolutePageUrl(link, base) }
  return { ...link, url: absolutePageUrl(link.url, base) }
}

function iconList(icons: Many<Icon>): IconObject[] {
  return listOf(icons).map((icon) =>
    typeof icon === 'string' || icon instanceof URL ? { url: icon } : icon,
  )
}

/** Makes URLs absolute, applies the title template, and turns single values into lists. */
function resolveOpenGraph(
  openGraph: OpenGraph,
  { templates, base }: FieldContext,
): ResolvedOpenGraph {
  const { title, url, images, videos, audio, ...others } = openGraph
  return {
    ...others,
    ...resolvedTitle(title, templates.openGraph),
    ...(url && { url: absolutePageUrl(url, base) }),
    ...(images && { images: media(images, base) }),
    ...(videos && { videos: media(videos, base) }),
    ...(audio && { audio: media(audio, base) }),
  }
}

function resolveTwitter(twitter: Twitter, { templates, base }: FieldContext): ResolvedTwitter {
  const { title, images, ...others } = twitter
  return {
    ...others,
    ...resolvedTitle(title, templates.twitter),
    ...(images && { images: media(images, base) }),
  }
}

/**
 * Fills in missing titles and descriptions: Open Graph's from the page, Twitter's from Open Graph
 * or else from the page.
 */
export function completeSocial(metadata: ResolvedMetadata): ResolvedMetadata {
  if (!metadata.openGraph && !metadata.twitter) return metadata
  const openGraph = metadata.openGraph && filled(metadata.openGraph, metadata)
  const twitter = metadata.twitter && filled(filled(metadata.twitter, openGraph), metadata)
  const hasImages = Boolean(twitter?.images?.length || openGraph?.images?.length)
  const card = twitter?.card ?? (hasImages ? 'summary_large_image' : 'summary')
  return {
    ...metadata,
    ...(openGraph && { openGraph }),
    twitter: { ...twitter, card },
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

function media<T extends MediaObject>(value: Many<UrlInput | T>, base: UrlBase): MediaObject[] {
  return listOf<UrlInput | T>(value).map((entry) => {
    if (typeof entry === 'string' || entry instanceof URL) return { url: absoluteUrl(entry, base) }
    const { secureUrl } = entry
    const url = absoluteUrl(entry.url, base)
    return secureUrl
      ? { ...entry, url, secureUrl: absoluteUrl(secureUrl, base) }
      : { ...entry, url }
  })
}
