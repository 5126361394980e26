import type { ReactElement } from 'react'
import type {
  MetadataFields,
  ResolvedAlternates,
  ResolvedIcons,
  ResolvedMetadata,
  ResolvedViewport,
  RobotsRules,
  ThemeColor,
} from '../../shared/metadata.ts'
import { appendAppTags } from './appTags.ts'
import { listOf } from './listOf.ts'
import { appendOpenGraphTags, appendTwitterTags } from './socialTags.ts'
import { createTagList, type TagList } from './tagList.ts'

/**
 * Makes the head of a document: elements that React hoists there, wherever they are rendered.
 * They are plain elements, no components, because each is a line of the payload.
 */
export function metadataTags(
  metadata: ResolvedMetadata,
  viewport: ResolvedViewport,
): ReactElement[] {
  const tags = createTagList()
  tags.add('charset', 'meta', { charSet: 'utf-8' })
  appendViewportTags(tags, viewport)
  appendDescriptionTags(tags, metadata)
  if (metadata.robots) appendRobotsTags(tags, metadata.robots)
  if (metadata.alternates) appendAlternateTags(tags, metadata.alternates)
  if (metadata.openGraph) appendOpenGraphTags(tags, metadata.openGraph)
  if (metadata.twitter) appendTwitterTags(tags, metadata.twitter)
  if (metadata.icons) appendIconTags(tags, metadata.icons)
  appendAppTags(tags, metadata)
  appendOtherTags(tags, metadata)
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
    if (value !== undefined)
      parts.push(`${name}=${typeof value === 'boolean' ? yesOrNo(value) : value}`)
  }
  tags.name('viewport', parts.join(', '))
  if (viewport.themeColor) {
    for (const theme of listOf<string | ThemeColor>(viewport.themeColor))
      appendThemeColor(tags, theme)
  }
  tags.name('color-scheme', viewport.colorScheme)
}

function appendThemeColor(tags: TagList, theme: string | ThemeColor): void {
  const { color, media } = typeof theme === 'string' ? { color: theme } : theme
  tags.add('theme-color', 'meta', { name: 'theme-color', content: color, ...(media && { media }) })
}

function appendDescriptionTags(tags: TagList, metadata: ResolvedMetadata): void {
  const title = metadata.title?.absolute
  if (title) tags.add('title', 'title', { children: title })
  tags.name('description', metadata.description)
  tags.name('application-name', metadata.applicationName)
  for (const author of listOf(metadata.authors ?? [])) {
    if (author.url) tags.link('author', author.url)
    tags.name('author', author.name)
  }
  tags.name('generator', metadata.generator)
  tags.name('keywords', listOf(metadata.keywords ?? []).join(','))
  tags.name('referrer', metadata.referrer)
  tags.name('creator', metadata.creator)
  tags.name('publisher', metadata.publisher)
  tags.name('abstract', metadata.abstract)
  tags.name('category', metadata.category)
  tags.name('classification', metadata.classification)
}

function appendRobotsTags(tags: TagList, robots: MetadataFields['robots']): void {
  if (typeof robots === 'string') {
    tags.name('robots', robots)
    return
  }
  const { googleBot, ...rules } = robots
  tags.name('robots', robotsContent(rules))
  if (googleBot) {
    tags.name('googlebot', typeof googleBot === 'string' ? googleBot : robotsContent(googleBot))
  }
}

function robotsContent({ index, follow, ...rules }: RobotsRules): string {
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

function appendOtherTags(tags: TagList, metadata: ResolvedMetadata): void {
  for (const [name, value] of Object.entries(metadata.other ?? {})) {
    for (const content of listOf(value)) tags.name(name, content)
  }
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no'
}
