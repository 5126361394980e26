import type { ReactElement } from 'react'
import type {
  AppleWebApp,
  MetadataFields,
  ResolvedAlternates,
  ResolvedIcons,
  ResolvedMetadata,
  ResolvedViewport,
  ThemeColor,
} from '../../shared/metadata.ts'
import { appendOpenGraphTags, appendTwitterTags } from './social.ts'
import { createTagList, listOf, type TagContent, type TagList } from './tagList.ts'

/**
 * Builds the head's elements, which React hoists. No components, because each element is a line of
 * the payload.
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
  tags.name('robots', robotsContent(robots))
  if (typeof robots === 'object') tags.name('googlebot', robotsContent(robots.googleBot))
  if (metadata.alternates) appendAlternateTags(tags, metadata.alternates)
  if (metadata.openGraph) appendOpenGraphTags(tags, metadata.openGraph)
  if (metadata.twitter) appendTwitterTags(tags, metadata.twitter)
  if (metadata.icons) appendIconTags(tags, metadata.icons)
  appendAppTags(tags, metadata)
  for (const [name, value] of Object.entries(metadata.other ?? {})) tags.name(name, value)
  return tags.elements
}

const viewportNames = [
  ['width', 'width'],
  ['height', 'height'],
  ['initialScale', 'initial-scale'],
  ['minimumScale', 'minimum-scale'],
  ['maximumScale', 'maximum-scale'],
  ['userScalable', 'user-scalable'],
  ['viewportFit', 'viewport-fit'],
  ['interactiveWidget', 'interactive-widget'],
] as const

function appendViewportTags(tags: TagList, viewport: ResolvedViewport): void {
  const parts: string[] = []
  for (const [field, name] of viewportNames) {
    const value = viewport[field]
    if (value === undefined) continue
    parts.push(`${name}=${typeof value === 'boolean' ? (value ? 'yes' : 'no') : value}`)
  }
  tags.name('viewport', parts.join(', '))
  for (const theme of listOf<string | ThemeColor>(viewport.themeColor ?? [])) {
    const { color: content, media } = typeof theme === 'string' ? { color: theme } : theme
    tags.add('theme-color', 'meta', { name: 'theme-color', content, ...(media && { media }) })
  }
  tags.name('color-scheme', viewport.colorScheme)
}

function appendDescriptionTags(tags: TagList, metadata: ResolvedMetadata): void {
  const title = metadata.title?.absolute
  if (title) tags.add('title', 'title', { children: title })
  tags.name('description', metadata.description)
  tags.name('application-name', metadata.applicationName)
  for (const author of listOf(metadata.authors ?? [])) {
    tags.link('author', author.url)
    tags.name('author', author.name)
  }
  tags.name('generator', metadata.generator)
  tags.name('keywords', listOf(metadata.keywords ?? []).join(','))
  for (const name of plainNames) tags.name(name, metadata[name])
}

const plainNames = [
  'referrer',
  'creator',
  'publisher',
  'abstract',
  'category',
  'classification',
] as const

function robotsContent(robots: MetadataFields['robots'] | null | undefined): TagContent {
  if (typeof robots !== 'object' || robots === null) return robots
  const { index, follow, googleBot: _own, ...rules } = robots
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
  tags.link('manifest', metadata.manifest)
  if (metadata.appleWebApp) appendAppleTags(tags, metadata.appleWebApp)
  if (metadata.itunes) appendItunesTag(tags, metadata.itunes)
  if (metadata.formatDetection) appendFormatTag(tags, metadata.formatDetection)
  if (metadata.verification) appendVerificationTags(tags, metadata.verification)
  tags.property('fb:app_id', metadata.facebook?.appId)
  tags.property('fb:admins', metadata.facebook?.admins)
  tags.name('pinterest-rich-pin', metadata.pinterest?.richPin)
  if (metadata.appLinks) appendAppLinkTags(tags, metadata.appLinks)
  for (const rel of ['archives', 'assets', 'bookmarks'] as const) tags.link(rel, metadata[rel])
  tags.link('prev', metadata.pagination?.previous)
  tags.link('next', metadata.pagination?.next)
}

function appendAppleTags(tags: TagList, app: true | AppleWebApp): void {
  const { capable, title, statusBarStyle, startupImage } = app === true ? {} : app
  if (capable !== false) tags.name('mobile-web-app-capable', 'yes')
  tags.name('apple-mobile-web-app-title', title)
  for (const image of listOf(startupImage ?? [])) {
    const { url, media } = typeof image === 'string' ? { url: image } : image
    tags.link('apple-touch-startup-image', url, { media })
  }
  tags.name('apple-mobile-web-app-status-bar-style', statusBarStyle)
}

function appendItunesTag(tags: TagList, itunes: MetadataFields['itunes']): void {
  const parts = [`app-id=${itunes.appId}`]
  if (itunes.affiliateData) parts.push(`affiliate-data=${itunes.affiliateData}`)
  if (itunes.appArgument) parts.push(`app-argument=${itunes.appArgument}`)
  tags.name('apple-itunes-app', parts.join(', '))
}

function appendFormatTag(tags: TagList, detection: MetadataFields['formatDetection']): void {
  const off = Object.entries(detection).filter(([, isDetected]) => isDetected === false)
  tags.name('format-detection', off.map(([format]) => `${format}=no`).join(', '))
}

const verificationNames = {
  google: 'google-site-verification',
  yahoo: 'y_key',
  yandex: 'yandex-verification',
  me: 'me',
} as const

function appendVerificationTags(
  tags: TagList,
  { other, ...verification }: MetadataFields['verification'],
): void {
  for (const [engine, name] of Object.entries(verificationNames)) {
    tags.name(name, verification[engine as keyof typeof verificationNames])
  }
  for (const [name, values] of Object.entries(other ?? {})) tags.name(name, values)
}

function appendAppLinkTags(tags: TagList, appLinks: MetadataFields['appLinks']): void {
  for (const [platform, apps] of Object.entries(appLinks)) {
    for (const app of listOf(apps ?? [])) {
      for (const [name, value] of Object.entries(app))
        tags.property(`al:${platform}:${name}`, value)
    }
  }
}
