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
} from '../../shared/metadata.ts'
import type { Many, UrlInput } from '../../shared/metadataValues.ts'
import { resolveOpenGraph, resolveTwitter, type TitleTemplates } from './social.ts'
import { listOf } from './tagList.ts'
import { absolutePageUrl, resolveTitle, rootOf, type UrlBase } from './values.ts'

/** Where the page is. */
export type PageLocation = {
  /** `https://example.com`; `null` when it is not known, as while prerendering. */
  readonly origin: string | null
  /** Canonical: without a slash at its end, unless it is `/`. */
  readonly pathname: string
}

/** What merging one segment depends on beside its own metadata. */
type MergeScope = {
  readonly page: PageLocation
  /** When left out, those of the parent. */
  readonly templates?: TitleTemplates
}

/**
 * Lays a segment's metadata over that of the segments above, field by field: a field that is
 * set replaces the whole field, `null` removes it, `undefined` leaves it.
 * @returns a new object; relative URLs in the child's fields are absolute in it
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
    // The value of a field is what its resolver takes.
    const resolve = fieldResolvers[name as keyof MetadataFields] as Resolve | undefined
    return resolve ? resolve(value, context) : value
  })
}

/**
 * Lays a segment's viewport over that of the segments above; `null` removes a field.
 * @returns a new object
 */
export function mergeViewport(
  parent: ResolvedViewport,
  child: Viewport | null | undefined,
): ResolvedViewport {
  return child ? overlay(parent, child, (_name, value) => value) : parent
}

/** The title templates that a segment hands down. */
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
  // The fields keep their names and were resolved to their types one by one.
  return merged as T
}

/** What a field is resolved with. */
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

/** The fields that are not used as they are. */
const fieldResolvers: FieldResolvers = {
  title: (title, { parent, templates }) =>
    resolveTitle(title, templates.title, parent.title?.absolute ?? ''),
  metadataBase: rootOf,
  alternates: (alternates, { base }) => resolveAlternates(alternates, base),
  icons: resolveIcons,
  openGraph: (openGraph, { templates, base }) =>
    resolveOpenGraph(openGraph, templates.openGraph, base),
  twitter: (twitter, { templates, base }) => resolveTwitter(twitter, templates.twitter, base),
}

function urlBase(metadataBase: UrlInput | null | undefined, page: PageLocation): UrlBase {
  let root: URL | null | undefined
  // Asked for late, so that a cached result knows whether it hangs on the request at all.
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

/** Makes the URLs of `alternates` absolute. */
function resolveAlternates(alternates: Alternates, base: UrlBase): ResolvedAlternates {
  const resolved: ResolvedAlternates = {}
  if (alternates.canonical) resolved.canonical = resolveLink(alternates.canonical, base)
  for (const group of ['languages', 'media', 'types'] as const) {
    const links = alternates[group]
    if (links) resolved[group] = resolveGroup(links, base)
  }
  return resolved
}

/**
 * Sorts icons by their use; one icon or a list means `icon`.
 * Their URLs stay as they are: the browser resolves them, and the page's own host is right.
 */
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
