export type Optional<T> = { [K in keyof T]?: T[K] | null | undefined }

export type Many<T> = T | readonly T[]

/** An absolute URL, or one relative to `metadataBase`. */
export type UrlInput = string | URL

/** A title, or an object that can also set the title template for the segments below. */
export type TitleInput =
  | string
  | {
      default?: string | undefined
      template?: string | null | undefined
      absolute?: string | undefined
    }

export type ResolvedTitle = {
  readonly absolute: string
  /** Template for the titles of the segments below. */
  readonly template: string | null
}

/** Open Graph and Twitter cards. @see https://ogp.me */

export type OpenGraphImage = UrlInput | OpenGraphImageObject

/** A video or a sound. `width` and `height` are in pixels. */
export type OpenGraphMediaObject = { url: UrlInput } & Optional<{
  secureUrl: UrlInput
  type: string
  width: string | number
  height: string | number
}>

export type OpenGraphImageObject = OpenGraphMediaObject & Optional<{ alt: string }>

/** A song. `disc` and `track` start at 1. */
export type OpenGraphTrack = { url: UrlInput } & Optional<{ disc: number; track: number }>

export type OpenGraphActor = { url: UrlInput } & Optional<{ role: string }>

type OpenGraphCommon = {
  title: TitleInput
  description: string
  url: UrlInput
  siteName: string
  locale: string
  alternateLocale: Many<string>
  images: Many<OpenGraphImage>
  videos: Many<UrlInput | OpenGraphMediaObject>
  audio: Many<UrlInput | OpenGraphMediaObject>
  emails: Many<string>
  phoneNumbers: Many<string>
  faxNumbers: Many<string>
  countryName: string
  determiner: 'a' | 'an' | 'the' | 'auto' | ''
  /** Seconds after which crawlers should fetch the page again. */
  ttl: number
}

/** Fields that only apply to certain types: article, book, profile, music, video. */
type OpenGraphDetails = {
  publishedTime: string
  modifiedTime: string
  expirationTime: string
  authors: Many<UrlInput>
  section: string
  tags: Many<string>
  isbn: string
  releaseDate: string
  firstName: string
  lastName: string
  username: string
  gender: string
  /** Duration in seconds. */
  duration: number
  albums: Many<UrlInput | OpenGraphTrack>
  songs: Many<UrlInput | OpenGraphTrack>
  musicians: Many<UrlInput>
  creators: Many<UrlInput>
  actors: Many<UrlInput | OpenGraphActor>
  directors: Many<UrlInput>
  writers: Many<UrlInput>
  series: UrlInput
}

type OpenGraphType =
  | 'website'
  | 'article'
  | 'book'
  | 'profile'
  | `music.${'song' | 'album' | 'playlist' | 'radio_station'}`
  | `video.${'movie' | 'episode' | 'tv_show' | 'other'}`

export type OpenGraph = Optional<OpenGraphCommon & OpenGraphDetails & { type: OpenGraphType }>

type Override<T, Fields> = Omit<T, keyof Fields> & Fields

export type ResolvedOpenGraph = Override<
  OpenGraph,
  {
    title?: ResolvedTitle
    url?: string
    images?: OpenGraphImageObject[]
    videos?: OpenGraphMediaObject[]
    audio?: OpenGraphMediaObject[]
  }
>

export type TwitterPlayer = {
  playerUrl: UrlInput
  streamUrl: UrlInput
  width: number
  height: number
}

type TwitterStore<Value> = Optional<{ iphone: Value; ipad: Value; googleplay: Value }>

export type TwitterApp = { id: TwitterStore<string | number> } & Optional<{
  url: TwitterStore<UrlInput>
  name: string
}>

/** Fields of a Twitter card. If `card` is missing, a page with an image gets the large card. */
export type Twitter = Optional<{
  card: 'summary' | 'summary_large_image' | 'player' | 'app'
  site: string
  siteId: string
  creator: string
  creatorId: string
  title: TitleInput
  description: string
  images: Many<UrlInput | OpenGraphImageObject>
  /** Players for the card `player`. */
  players: Many<TwitterPlayer>
  /** App for the card `app`. */
  app: TwitterApp
}>

export type ResolvedTwitter = Override<
  Twitter,
  { title?: ResolvedTitle; images?: OpenGraphImageObject[] }
>
