import { escapeHtml } from '../../shared/html.ts'
import type {
  RobotsFile,
  RobotsRule,
  Sitemap,
  SitemapEntry,
  WebManifest,
} from '../../shared/metadataFiles.ts'
import type { UrlInput } from '../../shared/metadataValues.ts'
import { listOf } from './listOf.ts'

/**
 * Writes a sitemap as XML.
 * @see https://www.sitemaps.org/protocol.html
 */
export function sitemapXml(entries: Sitemap): string {
  const lines = entries.flatMap(sitemapLines)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<urlset${namespaces(entries)}>`,
    ...lines,
    '</urlset>',
    '',
  ].join('\n')
}

/**
 * Writes a `robots.txt`.
 * @see RFC 9309
 */
export function robotsTxt(robots: RobotsFile): string {
  const groups = listOf(robots.rules).flatMap((rule) =>
    listOf(rule.userAgent ?? '*').map((agent) => ruleLines(agent, rule)),
  )
  const site = [
    ...(robots.host ? [directive('Host', robots.host)] : []),
    ...listOf(robots.sitemap ?? []).map((url) => directive('Sitemap', url)),
  ]
  return [...groups, ...(site.length > 0 ? [site] : [])]
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')
}

/** Writes a web app manifest as JSON. */
export function manifestJson(manifest: WebManifest): string {
  return JSON.stringify(manifest)
}

function namespaces(entries: Sitemap): string {
  const hasLanguages = entries.some((entry) => entry.alternates?.languages)
  const hasImages = entries.some((entry) => entry.images?.length)
  return [
    ' xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"',
    hasLanguages ? ' xmlns:xhtml="http://www.w3.org/1999/xhtml"' : '',
    hasImages ? ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"' : '',
  ].join('')
}

function sitemapLines(entry: SitemapEntry): string[] {
  const { lastModified, changeFrequency, priority } = entry
  const modified = lastModified instanceof Date ? lastModified.toISOString() : lastModified
  return [
    '<url>',
    `<loc>${xml(entry.url)}</loc>`,
    ...Object.entries(entry.alternates?.languages ?? {}).flatMap(([language, url]) =>
      url ? [languageLine(language, url)] : [],
    ),
    ...(entry.images ?? []).map(
      (url) => `<image:image><image:loc>${xml(url)}</image:loc></image:image>`,
    ),
    ...(modified ? [`<lastmod>${xml(modified)}</lastmod>`] : []),
    ...(changeFrequency ? [`<changefreq>${xml(changeFrequency)}</changefreq>`] : []),
    ...(typeof priority === 'number' ? [`<priority>${priority}</priority>`] : []),
    '</url>',
  ]
}

function languageLine(language: string, url: UrlInput): string {
  return `<xhtml:link rel="alternate" hreflang="${xml(language)}" href="${xml(url)}"/>`
}

// HTML's escapes are numeric or predefined in XML, too.
function xml(value: UrlInput): string {
  return escapeHtml(String(value))
}

function ruleLines(agent: string, rule: RobotsRule): string[] {
  const { userAgent: _agents, allow, disallow, crawlDelay, ...others } = rule
  const named = { Allow: allow, Disallow: disallow, 'Crawl-delay': crawlDelay, ...others }
  return [
    directive('User-Agent', agent),
    ...Object.entries(named).flatMap(([name, value]) =>
      value === undefined
        ? []
        : listOf<string | number | boolean>(value).map((one) => directive(name, one)),
    ),
  ]
}

function directive(name: string, value: string | number | boolean): string {
  // A line break in a value from data must not begin a directive of its own.
  return `${name}: ${String(value).replace(/[\r\n]+/g, ' ')}`
}
