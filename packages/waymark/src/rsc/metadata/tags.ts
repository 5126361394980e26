import type { ReactElement } from 'react'
import { jsx } from 'react/jsx-runtime'
import type {
  AppleWebApp,
  MetadataFields,
  ResolvedAlternates,
  ResolvedIcons,
  ResolvedMetadata,
  ResolvedViewport,
  ThemeColor,
} from './metadata.ts'
import type { Many, ResolvedOpenGraph, ResolvedTwitter } from './openGraph.ts'
import { isLinkable, listOf } from './values.ts'

/**
 * Builds the head's elements. It uses no components, because each would add a line to the payload.
 */
export function metadataTags(
  metadata: ResolvedMetadata,
  viewport: ResolvedViewport,
): ReactElement[] {
  const tags = createTagList()
  tags.add('charset', 'meta', { charSet: 'utf-8' })
  appendViewportTags(tags, viewport)
  appendDescriptionTags(tags, metadata)
  const { robots } = metadata
  tags.names({
    robots: robotsContent(robots),
    googlebot: typeof robots === 'object' ? robotsContent(robots.googleBot) : null,
  })
  if (metadata.alternates) appendAlternateTags(tags, metadata.alternates)
  if (metadata.openGraph) appendOpenGraphTags(tags, metadata.openGraph)
  if (metadata.twitter) appendTwitterTags(tags, metadata.twitter)
  if (metadata.icons) appendIconTags(tags, metadata.icons)
  appendAppTags(tags, metadata)
  tags.names(metadata.other)
  return tags.elements
}

type Content = string | number | boolean | URL | null | undefined

/** Content of tags, with one tag for each item. Items without content are left out. */
export type TagContent = Many<Content>

type TagList = ReturnType<typeof createTagList>

/**
 * Collects tags. A tag's name is its React key, so that React updates tags in place. Repeated names
 * are numbered.
 */
function createTagList() {
  const elements: ReactElement[] = []
  const counts = new Map<string, number>()

  function add(name: string, type: 'meta' | 'link' | 'title', props: object): void {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    elements.push(jsx(type, props, count === 0 ? name : `${name} ${count}`))
  }

  const meta =
    (attribute: 'name' | 'property') =>
    (contents: Readonly<Record<string, TagContent>> | undefined, prefix = '') => {
      for (const [field, content] of Object.entries(contents ?? {})) {
        const name = prefix + field
        for (const value of listOf(content).filter(hasContent)) {
          add(name, 'meta', { [attribute]: name, content: String(value) })
        }
      }
    }

  return {
    elements,
    add,
    names: meta('name'),
    /** Adds tags with `property`, as Open Graph requires. */
    properties: meta('property'),
    /** Adds links, except for script URLs. Omits attributes without a value. */
    link(rel: string, hrefs: TagContent, attributes: Readonly<Record<string, Content>> = {}): void {
      const present = Object.entries(attributes).filter(([, value]) => hasContent(value))
      for (const href of listOf(hrefs).filter(hasContent).map(String)) {
        if (isLinkable(href)) add(rel, 'link', { rel, href, ...Object.fromEntries(present) })
      }
    },
  }
}

function hasContent(content: Content): boolean {
  return content !== null && content !== undefined && content !== ''
}

const viewportNames = {
  width: 'width',
  height: 'height',
  initialScale: 'initial-scale',
  minimumScale: 'minimum-scale',
  maximumScale: 'maximum-scale',
  userScalable: 'user-scalable',
  viewportFit: 'viewport-fit',
  interactiveWidget: 'interactive-widget',
} as const

function appendViewportTags(tags: TagList, viewport: ResolvedViewport): void {
  const parts = Object.entries(viewportNames).flatMap(([field, name]) => {
    const value = viewport[field as keyof typeof viewportNames]
    if (value === undefined) return []
    return `${name}=${typeof value === 'boolean' ? (value ? 'yes' : 'no') : value}`
  })
  tags.names({ viewport: parts.join(', ') })
  for (const theme of listOf<string | ThemeColor>(viewport.themeColor ?? [])) {
    const { color: content, media } = typeof theme === 'string' ? { color: theme } : theme
    tags.add('theme-color', 'meta', { name: 'theme-color', content, ...(media && { media }) })
  }
  tags.names({ 'color-scheme': viewport.colorScheme })
}

function appendDescriptionTags(tags: TagList, metadata: ResolvedMetadata): void {
  const title = metadata.title?.absolute
  if (title) tags.add('title', 'title', { children: title })
  const { description, applicationName, generator, referrer, creator, publisher } = metadata
  const { abstract, category, classification } = metadata
  tags.names({ description, 'application-name': applicationName })
  for (const author of listOf(metadata.authors ?? [])) {
    tags.link('author', author.url)
    tags.names({ author: author.name })
  }
  const keywords = listOf(metadata.keywords ?? []).join(',')
  tags.names({ generator, keywords, referrer, creator, publisher })
  tags.names({ abstract, category, classification })
}

function robotsContent(robots: MetadataFields['robots'] | null | undefined): TagContent {
  if (typeof robots !== 'object' || robots === null) return robots
  const { index, follow, googleBot: _googleBot, ...rules } = robots
  const parts: string[] = []
  if (typeof index === 'boolean') parts.push(index ? 'index' : 'noindex')
  if (typeof follow === 'boolean') parts.push(follow ? 'follow' : 'nofollow')
  for (const [name, value] of Object.entries(rules)) {
    if (value === true) parts.push(name)
    else if (value || value === 0) parts.push(`${name}:${value}`)
  }
  return parts.join(', ')
}

const alternateGroups = [
  ['languages', 'hrefLang'],
  ['media', 'media'],
  ['types', 'type'],
] as const

function appendAlternateTags(tags: TagList, alternates: ResolvedAlternates): void {
  const { canonical } = alternates
  if (canonical) tags.link('canonical', canonical.url, { title: canonical.title })
  for (const [group, attribute] of alternateGroups) {
    for (const [key, links] of Object.entries(alternates[group] ?? {})) {
      for (const { url, title } of links) tags.link('alternate', url, { [attribute]: key, title })
    }
  }
}

/**
 * Fields whose tags have the prefix `og:`, in the order of the tags. All others have a prefix such
 * as `article:`, `book:` or `music:`.
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

function appendOpenGraphTags(tags: TagList, openGraph: ResolvedOpenGraph): void {
  const fields: Record<string, unknown> = { ...openGraph, title: openGraph.title?.absolute }
  for (const field of commonFields) appendProperty(tags, `og:${propertyName(field)}`, fields[field])
  // The fields of the type `music.song` have the prefix `music:`. The type `website` has no such
  // fields.
  const prefix = openGraph.type?.split('.')[0]
  if (!prefix || prefix === 'website') return
  for (const [field, value] of Object.entries(openGraph)) {
    if (commonFields.has(field)) continue
    appendProperty(tags, `${prefix}:${propertyName(field)}`, value)
  }
}

/**
 * Returns a field's property name: `site_name` for `siteName`, and the singular `author` for
 * `authors`, because each item gets its own tag.
 */
function propertyName(field: string): string {
  if (field === 'alternateLocale') return 'locale:alternate'
  const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return name === 'series' ? name : name.replace(/s$/, '')
}

function appendProperty(tags: TagList, property: string, value: unknown): void {
  for (const entry of listOf(value)) {
    if (typeof entry !== 'object' || entry === null || entry instanceof URL) {
      tags.properties({ [property]: entry as TagContent })
      continue
    }
    const { url, secureUrl, ...details } = entry as Record<string, TagContent>
    tags.properties({ [property]: url })
    tags.properties({ secure_url: secureUrl, ...details }, `${property}:`)
  }
}

function appendTwitterTags(tags: TagList, twitter: ResolvedTwitter): void {
  const { card, site, siteId, creator, creatorId, title, description } = twitter
  const all = { card, site, 'site:id': siteId, creator, 'creator:id': creatorId }
  tags.names({ ...all, title: title?.absolute, description }, 'twitter:')
  for (const { url, alt } of twitter.images ?? []) {
    tags.names({ image: url, 'image:alt': alt }, 'twitter:')
  }
  if (twitter.card === 'player') {
    for (const { playerUrl, streamUrl, width, height } of listOf(twitter.players ?? [])) {
      tags.names({ player: playerUrl }, 'twitter:')
      tags.names({ stream: streamUrl, width, height }, 'twitter:player:')
    }
  }
  if (twitter.card !== 'app' || !twitter.app) return
  const { id, name, url } = twitter.app
  for (const store of ['iphone', 'ipad', 'googleplay'] as const) {
    tags.names({ [`name:${store}`]: id[store] && name }, 'twitter:app:')
    tags.names({ [`id:${store}`]: id[store], [`url:${store}`]: url?.[store] }, 'twitter:app:')
  }
}

const iconRels = [
  ['shortcut', 'shortcut icon'],
  ['icon', 'icon'],
  ['apple', 'apple-touch-icon'],
  ['other', 'icon'],
] as const

function appendIconTags(tags: TagList, icons: ResolvedIcons): void {
  for (const [use, usualRel] of iconRels) {
    for (const { url, rel, ...attributes } of icons[use] ?? []) {
      tags.link(rel ?? usualRel, url, attributes)
    }
  }
}

function appendAppTags(tags: TagList, metadata: ResolvedMetadata): void {
  const { appleWebApp, itunes, formatDetection, verification, facebook, pinterest } = metadata
  tags.link('manifest', metadata.manifest)
  if (appleWebApp) appendAppleTags(tags, appleWebApp === true ? {} : appleWebApp)
  if (itunes) tags.names({ 'apple-itunes-app': itunesContent(itunes) })
  const undetected = Object.entries(formatDetection ?? {}).filter(([, isOn]) => isOn === false)
  tags.names({ 'format-detection': undetected.map(([format]) => `${format}=no`).join(', ') })
  const { google, yahoo, yandex, me, other } = verification ?? {}
  tags.names({
    'google-site-verification': google,
    y_key: yahoo,
    'yandex-verification': yandex,
    me,
    ...other,
  })
  tags.properties({ app_id: facebook?.appId, admins: facebook?.admins }, 'fb:')
  tags.names({ 'pinterest-rich-pin': pinterest?.richPin })
  for (const [platform, apps] of Object.entries(metadata.appLinks ?? {})) {
    for (const app of listOf(apps ?? [])) tags.properties(app, `al:${platform}:`)
  }
  for (const rel of ['archives', 'assets', 'bookmarks'] as const) tags.link(rel, metadata[rel])
  tags.link('prev', metadata.pagination?.previous)
  tags.link('next', metadata.pagination?.next)
}

function appendAppleTags(tags: TagList, app: AppleWebApp): void {
  const { capable, title, statusBarStyle, startupImage } = app
  tags.names({
    'mobile-web-app-capable': capable === false ? null : 'yes',
    'apple-mobile-web-app-title': title,
  })
  for (const image of listOf(startupImage ?? [])) {
    const { url, media } = typeof image === 'string' ? { url: image } : image
    tags.link('apple-touch-startup-image', url, { media })
  }
  tags.names({ 'apple-mobile-web-app-status-bar-style': statusBarStyle })
}

function itunesContent({ appId, affiliateData, appArgument }: MetadataFields['itunes']): string {
  const parts = [`app-id=${appId}`]
  if (affiliateData) parts.push(`affiliate-data=${affiliateData}`)
  if (appArgument) parts.push(`app-argument=${appArgument}`)
  return parts.join(', ')
}
