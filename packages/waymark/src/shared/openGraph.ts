export type Optional<T> = { [K in keyof T]?: T[K] | null | undefined }

export type Many<T> = T | readonly T[]

/** Absolute, or relative to `metadataBase`. */
export type UrlInput = string | URL

/** A text, or an object that also sets the template of titles below. */
export type TitleInput =
  | string
  | {
      default?: string | undefined
      template?: string | null | undefined
      absolute?: string | undefined
    }

export type ResolvedTitle = {
  readonly absolute: string
  /** Template for titles of segments below. */
  readonly template: string | null
}

/** Open Graph and Twitter cards. @see https://ogp.me */

export type OpenGraphImage = UrlInput | OpenGraphImageObject

/** A video or a sound; `width` and `height` in pixels. */
export type OpenGraphMediaObject = { url: UrlInput } & Optional<{
  secureUrl: UrlInput
  type: string
  width: string | number
  height: string | number
}>

export type OpenGraphImageObject = OpenGraphMediaObject & Optional<{ alt: string }>

/** `disc` and `track` count from 1. */
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
  /** Seconds until the reader should fetch the page again. */
  ttl: number
}

type OpenGraphArticle = {
  publishedTime: string
  modifiedTime: string
  expirationTime: string
  authors: Many<UrlInput>
  section: string
  tags: Many<string>
}

type OpenGraphBook = {
  isbn: string
  releaseDate: string
  authors: Many<UrlInput>
  tags: Many<string>
}

type OpenGraphProfile = { firstName: string; lastName: string; username: string; gender: string }

type OpenGraphSong = {
  /** Seconds. */
  duration: number
  albums: Many<UrlInput | OpenGraphTrack>
  musicians: Many<UrlInput>
}

type OpenGraphAlbum = {
  songs: Many<UrlInput | OpenGraphTrack>
  musicians: Many<UrlInput>
  releaseDate: string
}

type OpenGraphPlaylist = { songs: Many<UrlInput | OpenGraphTrack>; creators: Many<UrlInput> }

type OpenGraphVideo = {
  actors: Many<UrlInput | OpenGraphActor>
  directors: Many<UrlInput>
  writers: Many<UrlInput>
  /** Seconds. */
  duration: number
  releaseDate: string
  tags: Many<string>
}

type Typed<Type extends string, Fields> = { type: Type } & Optional<OpenGraphCommon & Fields>

export type OpenGraph =
  | Optional<OpenGraphCommon & { type: 'website' }>
  | Typed<'article', OpenGraphArticle>
  | Typed<'book', OpenGraphBook>
  | Typed<'profile', OpenGraphProfile>
  | Typed<'music.song', OpenGraphSong>
  | Typed<'music.album', OpenGraphAlbum>
  | Typed<'music.playlist', OpenGraphPlaylist>
  | Typed<'music.radio_station', { creators: Many<UrlInput> }>
  | Typed<'video.movie' | 'video.tv_show' | 'video.other', OpenGraphVideo>
  | Typed<'video.episode', OpenGraphVideo & { series: UrlInput }>

type Override<T, Fields> = T extends unknown ? Omit<T, keyof Fields> & Fields : never

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

type TwitterCommon = Optional<{
  site: string
  siteId: string
  creator: string
  creatorId: string
  title: TitleInput
  description: string
  images: Many<UrlInput | OpenGraphImageObject>
}>

/** Without `card`, a picture selects the large card. */
export type Twitter =
  | (TwitterCommon & Optional<{ card: 'summary' | 'summary_large_image' }>)
  | (TwitterCommon & { card: 'player'; players: Many<TwitterPlayer> })
  | (TwitterCommon & { card: 'app'; app: TwitterApp })

export type ResolvedTwitter = Override<
  Twitter,
  { title?: ResolvedTitle; images?: OpenGraphImageObject[] }
>
