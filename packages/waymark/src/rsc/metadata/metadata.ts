import type {
  Many,
  OpenGraph,
  Optional,
  ResolvedOpenGraph,
  ResolvedTitle,
  ResolvedTwitter,
  TitleInput,
  Twitter,
  UrlInput,
} from './openGraph.ts'

/** Types of the `metadata` and `viewport` exports. `null` removes the value of a layout above. */

export type AlternateLink = { url: UrlInput; title?: string | undefined }

type AlternateInput = UrlInput | readonly AlternateLink[] | null | undefined

/** Other URLs with the same content. */
export type Alternates = Optional<{
  /** The URL that search engines should use; `./` stands for the page's own URL. */
  canonical: UrlInput | AlternateLink
  /** URLs, keyed by language tag. `x-default` stands for all other languages. */
  languages: { readonly [language: string]: AlternateInput }
  media: { readonly [query: string]: AlternateInput }
  /** URLs, keyed by media type, such as `application/rss+xml`. */
  types: { readonly [type: string]: AlternateInput }
}>

export type Author = Optional<{ name: string; url: UrlInput }>

export type IconObject = { url: UrlInput } & Optional<{
  rel: string
  type: string
  sizes: string
  color: string
  media: string
  fetchPriority: 'high' | 'low' | 'auto'
}>

export type Icon = UrlInput | IconObject

export type Icons = Optional<{
  icon: Many<Icon>
  shortcut: Many<Icon>
  apple: Many<Icon>
  other: Many<IconObject>
}>

export type RobotsRules = Optional<{
  index: boolean
  follow: boolean
  noarchive: boolean
  nosnippet: boolean
  noimageindex: boolean
  nocache: boolean
  notranslate: boolean
  indexifembedded: boolean
  nositelinkssearchbox: boolean
  unavailable_after: string
  'max-snippet': number
  'max-video-preview': number | string
  'max-image-preview': 'none' | 'standard' | 'large'
}>

/** Rules for all crawlers, with separate rules for Google. */
export type Robots = RobotsRules & { googleBot?: string | RobotsRules | null | undefined }

type VerificationValue = Many<string | number>

export type Verification = Optional<{
  google: VerificationValue
  yahoo: VerificationValue
  yandex: VerificationValue
  me: VerificationValue
  other: { readonly [name: string]: VerificationValue }
}>

export type AppleWebApp = Optional<{
  capable: boolean
  title: string
  statusBarStyle: 'default' | 'black' | 'black-translucent'
  startupImage: string | readonly (string | { url: string; media?: string | undefined })[]
}>

type AppLinkValues = { readonly [name: string]: string | number | boolean | URL | undefined }

type MetaValue = string | number | boolean

export type MetadataFields = {
  title: TitleInput
  description: string
  /** Base for relative URLs in this segment and the segments below. */
  metadataBase: UrlInput
  applicationName: string
  authors: Many<Author>
  generator: string
  keywords: Many<string>
  referrer:
    | 'no-referrer'
    | 'origin'
    | 'no-referrer-when-downgrade'
    | 'origin-when-cross-origin'
    | 'same-origin'
    | 'strict-origin'
    | 'strict-origin-when-cross-origin'
    | 'unsafe-url'
  creator: string
  publisher: string
  robots: string | Robots
  alternates: Alternates
  icons: UrlInput | readonly Icon[] | Icons
  openGraph: OpenGraph
  twitter: Twitter
  manifest: UrlInput
  verification: Verification
  facebook: Optional<{ appId: string; admins: Many<string> }>
  pinterest: { richPin: string | boolean }
  appleWebApp: boolean | AppleWebApp
  formatDetection: Optional<{
    telephone: boolean
    date: boolean
    address: boolean
    email: boolean
    url: boolean
  }>
  itunes: { appId: string; appArgument?: string | undefined; affiliateData?: string | undefined }
  appLinks: { readonly [platform: string]: Many<AppLinkValues> | undefined }
  abstract: string
  archives: Many<UrlInput>
  assets: Many<UrlInput>
  bookmarks: Many<UrlInput>
  pagination: Optional<{ previous: UrlInput; next: UrlInput }>
  category: string
  classification: string
  /** Content of any other `<meta>` elements, keyed by name. */
  other: { readonly [name: string]: Many<MetaValue> | null | undefined }
}

/** The `metadata` that a layout or page exports, or that its `generateMetadata` returns. */
export type Metadata = Optional<MetadataFields>

export type ResolvedAlternates = { canonical?: AlternateLink } & {
  [Group in Exclude<keyof Alternates, 'canonical'>]?: Record<string, AlternateLink[]>
}

export type ResolvedIcons = { [Use in keyof Icons]?: IconObject[] }

/** A route's merged metadata. Each part is valid `Metadata`. */
export type ResolvedMetadata = Readonly<Partial<Omit<MetadataFields, keyof ResolvedFields>>> &
  Readonly<Partial<ResolvedFields>>

type ResolvedFields = {
  title: ResolvedTitle
  metadataBase: URL
  alternates: ResolvedAlternates
  icons: ResolvedIcons
  openGraph: ResolvedOpenGraph
  twitter: ResolvedTwitter
}

/** Metadata of the layouts above, the second argument of `generateMetadata`. */
export type ResolvingMetadata = Promise<ResolvedMetadata>

export type ThemeColor = { color: string; media?: string | undefined }

export type ViewportFields = {
  width: string | number
  height: string | number
  initialScale: number
  minimumScale: number
  maximumScale: number
  userScalable: boolean
  viewportFit: 'auto' | 'cover' | 'contain'
  interactiveWidget: 'resizes-visual' | 'resizes-content' | 'overlays-content'
  themeColor: string | ThemeColor | readonly ThemeColor[]
  colorScheme:
    | 'normal'
    | 'light'
    | 'dark'
    | 'light dark'
    | 'dark light'
    | 'only light'
    | 'only dark'
}

/** The `viewport` that a layout or page exports, or that its `generateViewport` returns. */
export type Viewport = Optional<ViewportFields>

/** A route's merged viewport. */
export type ResolvedViewport = Readonly<Partial<ViewportFields>>

/** Viewport of the layouts above, the second argument of `generateViewport`. */
export type ResolvingViewport = Promise<ResolvedViewport>

/** Types of the values that the files `sitemap`, `robots` and `manifest` return. */

export type SitemapEntry = { url: UrlInput } & Optional<{
  lastModified: string | Date
  changeFrequency: 'always' | 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly' | 'never'
  /** Importance from 0 to 1, relative to other pages of the site. */
  priority: number
  images: readonly UrlInput[]
  videos: readonly SitemapVideo[]
  alternates: { languages?: { readonly [language: string]: UrlInput | undefined } | undefined }
}>

type SitemapRestriction = { readonly relationship: 'allow' | 'deny'; readonly content: string }

/**
 * A video in a sitemap. Its properties have the names of the XML elements.
 * @see https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps
 */
type SitemapVideo = {
  readonly title: string
  readonly thumbnail_loc: UrlInput
  readonly description: string
} & Optional<{
  content_loc: UrlInput
  player_loc: UrlInput
  /** Duration in seconds. */
  duration: number
  expiration_date: string | Date
  rating: number
  view_count: number
  publication_date: string | Date
  family_friendly: 'yes' | 'no'
  restriction: SitemapRestriction
  platform: SitemapRestriction
  requires_subscription: 'yes' | 'no'
  uploader: { readonly info?: UrlInput | undefined; readonly content?: string | undefined }
  live: 'yes' | 'no'
  tag: Many<string>
}>

export type Sitemap = readonly SitemapEntry[]

/** Rules for some crawlers. Unknown directives are written as they are. */
type RobotsRule = {
  userAgent?: Many<string> | undefined
  allow?: Many<string> | undefined
  disallow?: Many<string> | undefined
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
