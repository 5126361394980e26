import type { Many, Optional, UrlInput } from './metadataValues.ts'

/** What an app says about itself in files of their own: sitemap, robots, manifest. */

/** One page in a sitemap. */
export type SitemapEntry = { url: UrlInput } & Optional<{
  lastModified: string | Date
  changeFrequency: 'always' | 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly' | 'never'
  /** From 0 to 1, against other pages of the same site. */
  priority: number
  /** The page's pictures. */
  images: readonly UrlInput[]
  alternates: { languages?: { readonly [language: string]: UrlInput | undefined } | undefined }
}>

/** The pages of a site. */
export type Sitemap = readonly SitemapEntry[]

/** What certain crawlers may read; directives beside the known ones are written as they are. */
export type RobotsRule = {
  userAgent?: Many<string> | undefined
  allow?: Many<string> | undefined
  disallow?: Many<string> | undefined
  /** In seconds. */
  crawlDelay?: number | undefined
  [directive: string]: Many<string> | number | boolean | undefined
}

/** The content of `robots.txt`. */
export type RobotsFile = { rules: Many<RobotsRule> } & Optional<{
  sitemap: Many<string>
  host: string
}>

/** A web app manifest. @see https://www.w3.org/TR/appmanifest/ */
export type WebManifest = {
  name?: string
  short_name?: string
  description?: string
  start_url?: string
  scope?: string
  id?: string
  lang?: string
  dir?: 'ltr' | 'rtl' | 'auto'
  display?: 'fullscreen' | 'standalone' | 'minimal-ui' | 'browser'
  orientation?: string
  background_color?: string
  theme_color?: string
  categories?: string[]
  icons?: { src: string; sizes?: string; type?: string; purpose?: string }[]
  screenshots?: { src: string; sizes?: string; type?: string; label?: string }[]
  shortcuts?: { name: string; url: string; short_name?: string; description?: string }[]
  [member: string]: unknown
}
