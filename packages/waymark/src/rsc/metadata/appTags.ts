import type { AppleWebApp, MetadataFields, ResolvedMetadata } from '../../shared/metadata.ts'
import { listOf } from './listOf.ts'
import type { TagList } from './tagList.ts'

/** Appends what apps, stores and search engines ask for: manifest, iOS, ownership, links. */
export function appendAppTags(tags: TagList, metadata: ResolvedMetadata): void {
  if (metadata.manifest) tags.link('manifest', metadata.manifest)
  if (metadata.appleWebApp) appendAppleTags(tags, metadata.appleWebApp)
  if (metadata.itunes) appendItunesTag(tags, metadata.itunes)
  if (metadata.formatDetection) appendFormatTag(tags, metadata.formatDetection)
  if (metadata.verification) appendVerificationTags(tags, metadata.verification)
  tags.property('fb:app_id', metadata.facebook?.appId)
  for (const admin of listOf(metadata.facebook?.admins ?? [])) tags.property('fb:admins', admin)
  tags.name('pinterest-rich-pin', metadata.pinterest?.richPin)
  if (metadata.appLinks) appendAppLinkTags(tags, metadata.appLinks)
  for (const rel of ['archives', 'assets', 'bookmarks'] as const) {
    for (const url of listOf(metadata[rel] ?? [])) tags.link(rel, url)
  }
  if (metadata.pagination?.previous) tags.link('prev', metadata.pagination.previous)
  if (metadata.pagination?.next) tags.link('next', metadata.pagination.next)
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
    const values = verification[engine as keyof typeof verificationNames]
    for (const value of listOf(values ?? [])) tags.name(name, value)
  }
  for (const [name, values] of Object.entries(other ?? {})) {
    for (const value of listOf(values)) tags.name(name, value)
  }
}

function appendAppLinkTags(tags: TagList, appLinks: MetadataFields['appLinks']): void {
  for (const [platform, apps] of Object.entries(appLinks)) {
    for (const app of listOf(apps ?? [])) {
      for (const [name, value] of Object.entries(app))
        tags.property(`al:${platform}:${name}`, value)
    }
  }
}
