import type { CachedResponse, HandlerResponse, HeaderLines } from '../http/response.ts'
import type { RouteManifest } from './buildManifest.ts'

/** `stale` is served while the page is regenerated. */
export type CacheStatus = 'hit' | 'stale' | 'miss'

/** `built` names the file that the build wrote. */
export type FoundResponse = {
  readonly response: CachedResponse | 'built'
  /** Seconds since the rendering; `null` when shared caches need no age. */
  readonly ageSeconds: number | null
}

/**
 * Finds the response to a request in the page cache.
 * @param target path and query @returns `null` when the handler has to respond
 */
export type FindCached = (target: string) => FoundResponse | null

export type PageCacheLife = {
  readonly tags: readonly string[]
  /** Until the page is stale: served once more, then regenerated. `null`: only tags end it. */
  readonly revalidateSeconds: number | null
  /** Until the page is no longer served. `null`: never. */
  readonly expireSeconds: number | null
}

export type BuiltPage = PageCacheLife & {
  readonly renderedAtMs: number
  readonly hasOwnCaching?: boolean
  /** Reads the shell of a partially static page, as encoded for the cache. */
  readonly readShell?: () => Uint8Array | Promise<Uint8Array>
}

export type FindBuilt = (pathname: string) => BuiltPage | null

export type BuiltPages = {
  readonly findBuilt: FindBuilt
  /** True when all URLs without a route share one document. */
  readonly hasNotFound: boolean
  readonly hasFile: (pathname: string) => boolean
}

/** Key of that document in `HandlerResponse.prerendered`; a URL would begin with a slash. */
export const builtNotFound = 'not-found'

/** Response header: `hit`, `stale` or `miss` for a page of the page cache. */
export const cacheStatusHeader = 'waymark-cache'

/** Pages are never cached for a request with this cookie. */
export const draftCookie = '__waymark_draft'

export type PrerenderedFile = {
  /** Path of the body, relative to the manifest; compressed siblings stand beside it. */
  readonly file: string
  readonly status: number
  /** Without content-length, content-encoding, etag and vary, which the server adds. */
  readonly headers: HeaderLines
  /** A request with one of these headers goes to the handler. */
  readonly handlerOnHeaders?: readonly string[]
  readonly hasOwnCaching?: boolean
  readonly life?: PageCacheLife
}

export type PrerenderedShell = {
  readonly file: string
  readonly life: PageCacheLife
}

/** The pages that a build has rendered, as JSON in its file `buildLayout.prerendered`. */
export type PrerenderedManifest = {
  readonly version: 1
  /** By pathname, percent-encoded as in a link. */
  readonly files: Readonly<Record<string, PrerenderedFile>>
  readonly shells?: Readonly<Record<string, PrerenderedShell>>
  readonly notFound: PrerenderedFile | null
  /** Pathnames of pages, their data and files of `public/` about which proxy.ts or `around` decides. */
  readonly guarded?: readonly string[]
}

export type PlannedRoute = Pick<RouteManifest, 'pattern' | 'kind' | 'file' | 'rendersOthers'> & {
  /** Canonical pathnames known at build. */
  readonly pathnames: readonly string[]
  /** Why each request renders the route; `null` when it may be prerendered. */
  readonly dynamicReason: string | null
  readonly isPartial: boolean
  readonly revalidateSeconds: number | null
}

export type PrerenderedResponse = Pick<HandlerResponse, 'status' | 'headers'> & {
  readonly body: Uint8Array
}

export type PrerenderedUrl =
  | {
      readonly kind: 'response'
      readonly document: PrerenderedResponse
      readonly data: PrerenderedResponse | null
      readonly life: PageCacheLife
      /** True when a navigation inside the app may show an intercepting page here. */
      readonly isIntercepted: boolean
      /** Errors that client components threw inside Suspense: the browser renders these parts. */
      readonly leftToBrowser: readonly unknown[]
    }
  /** The page is static except for its holes. */
  | {
      readonly kind: 'partial'
      readonly shell: Uint8Array
      readonly life: PageCacheLife
      readonly leftToBrowser: readonly unknown[]
    }
  /** `reason` names the used API; `stack` exists in development only. */
  | { readonly kind: 'dynamic'; readonly reason: string; readonly stack?: string | undefined }
  | {
      readonly kind: 'failed'
      readonly thrown: unknown
      /** A client component threw: a request gets 500, and the browser renders the page. */
      readonly rendersInBrowser?: boolean
    }

export type Prerenderer = {
  /** Prerendering skips proxy.ts. */
  readonly isProxied: boolean
  /** True if proxy.ts, or `around` of server.ts, runs for each request for a page. */
  isGuarded(pathname: string): boolean
  /** True if proxy.ts runs before a file of `public/` is sent. */
  isGuardedFile(pathname: string): boolean
  /** @throws `PRERENDER_FAILED` when a `generateStaticParams` throws */
  plan(): Promise<readonly PlannedRoute[]>
  render(pathname: string): Promise<PrerenderedUrl>
  /** @returns `null` when URLs without a route do not share one document */
  renderNotFound(): Promise<PrerenderedResponse | null>
}
