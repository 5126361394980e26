import type { CachedResponse, HeaderLines } from './response.ts'

/** Fresh from the cache, stale (and being regenerated), or just rendered. */
export type CacheStatus = 'hit' | 'stale' | 'miss'

/** A cached response; `built` is the file that the build wrote for the URL. */
export type FoundResponse = {
  readonly response: CachedResponse | 'built'
  /** Since it was rendered; `null` where no cache on the way needs to know. */
  readonly ageSeconds: number | null
}

/**
 * Finds what is fresh in memory for a URL.
 * @param target path and query, as sent
 * @returns `null` when the handler has to respond
 */
export type FindCached = (target: string) => FoundResponse | null

/** How long a page may be cached, and what ends it earlier. */
export type PageCacheLife = {
  readonly tags: readonly string[]
  /** Seconds until it is stale: served once more, and regenerated. `null`: only a tag ends it. */
  readonly revalidateSeconds: number | null
  /** Seconds until it is not served any more. `null`: never. */
  readonly expireSeconds: number | null
}

/** A page that the build has rendered; the time is that of the build. */
export type BuiltPage = PageCacheLife & {
  readonly renderedAtMs: number
  /** Whether the app itself says what caches may do with it. */
  readonly hasOwnCaching?: boolean
  /** Of a page that is static in part: reads its shell, as encoded for the cache. */
  readonly readShell?: () => Uint8Array
}

/** Tells what the build has rendered, by canonical pathname. */
export type FindBuilt = (pathname: string) => BuiltPage | null

/** What the build has rendered. */
export type BuiltPages = {
  readonly findBuilt: FindBuilt
  /** Whether there is a document for URLs without a route, the same for all of them. */
  readonly hasNotFound: boolean
  /** Whether a canonical pathname is that of a file, which `HandlerResponse.prerendered` may name. */
  readonly hasFile: (pathname: string) => boolean
}

/** Names that document in `HandlerResponse.prerendered`; no URL, which begins with a slash. */
export const builtNotFound = 'not-found'

/** Tells which response came from where, for debugging: a `CacheStatus`. */
export const cacheStatusHeader = 'waymark-cache'

/** The cookie of draft mode, in which pages are never cached. */
export const draftCookie = '__waymark_draft'

/** One prerendered response: a document, or a page's data. */
export type PrerenderedFile = {
  /** Of the body, relative to the manifest's folder; precompressed siblings are found beside it. */
  readonly file: string
  readonly status: number
  /** All but content-length, content-encoding, etag and vary, which the server adds. */
  readonly headers: HeaderLines
  /** A request that carries one of these headers is for the handler, not for this file. */
  readonly handlerOnHeaders?: readonly string[]
  /** Whether the app itself says what caches may do with it. */
  readonly hasOwnCaching?: boolean
  /** Of a document or a route handler's response: how long it, and its data, may be served. */
  readonly life?: PageCacheLife
}

/** The shell of a page that is static in part: no response, but the begin of one. */
export type PrerenderedShell = {
  /** Relative to the manifest's folder. */
  readonly file: string
  readonly life: PageCacheLife
}

/** What the build writes to `prerendered.json`, and a server reads at its start. */
export type PrerenderedManifest = {
  readonly version: 1
  /** By the pathname of their URL, percent-encoded as in a link. */
  readonly files: Readonly<Record<string, PrerenderedFile>>
  /** Shells of pages that are static in part, by pathname. */
  readonly shells?: Readonly<Record<string, PrerenderedShell>>
  /** The document for URLs that no route answers. */
  readonly notFound: PrerenderedFile | null
}

/** A route, and what is known of it before it is rendered. */
export type PlannedRoute = {
  /** `/blog/[slug]` */
  readonly pattern: string
  readonly kind: 'page' | 'route'
  /** Relative to the app folder. */
  readonly file: string
  /** Canonical pathnames that are known at build. */
  readonly pathnames: readonly string[]
  /** Why it is rendered for each request; `null` when it may be prerendered. */
  readonly dynamicReason: string | null
  /** Whether it asks to be static in part. */
  readonly isPartial: boolean
  /** Seconds after which it is to be rendered again; `null` for never. */
  readonly revalidateSeconds: number | null
  /** Whether pathnames beside those listed answer, too. */
  readonly rendersOthers: boolean
}

/** A response in full. */
export type PrerenderedResponse = {
  readonly status: number
  readonly headers: HeaderLines
  readonly body: Uint8Array
}

/** A prerendered URL. */
export type PrerenderedUrl =
  | {
      readonly kind: 'response'
      readonly document: PrerenderedResponse
      /** The page as data; `null` for a route handler. */
      readonly data: PrerenderedResponse | null
      readonly life: PageCacheLife
      /** Whether a navigation inside the app may show another page at this URL. */
      readonly isIntercepted: boolean
      /** What client components threw inside of Suspense: a browser renders these parts. */
      readonly leftToBrowser: readonly unknown[]
    }
  /** What stands outside of its holes is the same for everybody. */
  | {
      readonly kind: 'partial'
      /** A `PartialShell`, encoded for the cache. */
      readonly shell: Uint8Array
      readonly life: PageCacheLife
      readonly leftToBrowser: readonly unknown[]
    }
  /** It depends on its request: `reason` is what it used; in development `stack` says where. */
  | { readonly kind: 'dynamic'; readonly reason: string; readonly stack?: string | undefined }
  | {
      readonly kind: 'failed'
      readonly thrown: unknown
      /** Thrown by a client component: a request gets 500, and then its browser renders the page. */
      readonly rendersInBrowser?: boolean
    }

/** Prerenders an app's URLs: what the build asks the built server for. */
export type Prerenderer = {
  /** Whether the app has a proxy.ts. Prerendering passes it by. */
  readonly isProxied: boolean
  /** @throws `PRERENDER_FAILED` when a `generateStaticParams` throws */
  plan(): Promise<readonly PlannedRoute[]>
  /** @param pathname one that `plan` has listed */
  render(pathname: string): Promise<PrerenderedUrl>
  /**
   * Renders what URLs show that no route answers.
   * @returns `null` where that is not the same for all of them
   */
  renderNotFound(): Promise<PrerenderedResponse | null>
}
