import type { CachedResponse, HandlerResponse, HeaderLines } from '../http/response.ts'
import type { RouteManifest } from './buildManifest.ts'

/** `stale` means that the cached page was sent and is being regenerated. */
export type CacheStatus = 'hit' | 'stale' | 'miss'

/** A response found in the page cache. `built` means that the build's file contains it. */
export type PageCacheResponse = {
  readonly response: CachedResponse | 'built'
  /** Seconds since the page was rendered; `null` if shared caches don't need the age. */
  readonly ageSeconds: number | null
}

/**
 * Finds the response to a request in the page cache.
 * @param target path and query
 * @returns `null` if the handler must respond
 */
export type FindCached = (target: string) => PageCacheResponse | null

export type PageCacheLife = {
  readonly tags: readonly string[]
  /**
   * Seconds until the page is stale. A stale page is sent once more, then regenerated. `null` if
   * only tags make it stale.
   */
  readonly revalidateSeconds: number | null
  /** Seconds until the page is no longer sent; `null` for never. */
  readonly expireSeconds: number | null
}

export type BuiltPage = PageCacheLife & {
  readonly renderedAtMs: number
  readonly hasCustomCaching?: boolean
  /** Reads a partially static page's shell, encoded as in the cache. */
  readonly readShell?: () => Uint8Array | Promise<Uint8Array>
}

export type FindBuilt = (pathname: string) => BuiltPage | null

export type BuiltPages = {
  readonly findBuilt: FindBuilt
  /** True if all URLs without a route share one document. */
  readonly hasNotFound: boolean
  readonly hasFile: (pathname: string) => boolean
}

/**
 * Key of the shared not-found document in `HandlerResponse.prerendered`. URLs begin with a slash,
 * so it can't be mistaken for one.
 */
export const builtNotFound = 'not-found'

/** Response header for a page from the page cache: `hit`, `stale` or `miss`. */
export const cacheStatusHeader = 'waymark-cache'

/** Cookie that turns on draft mode. Requests with this cookie don't get cached pages. */
export const draftCookie = '__waymark_draft'

export type PrerenderedFile = {
  /** Path of the body, relative to the manifest. Compressed versions are next to it. */
  readonly file: string
  readonly status: number
  /**
   * Header lines without content-length, content-encoding, etag and vary, which the server adds.
   */
  readonly headers: HeaderLines
  /** Names of request headers. If a request has one of them, the handler must respond. */
  readonly handlerOnHeaders?: readonly string[]
  readonly hasCustomCaching?: boolean
  readonly life?: PageCacheLife
}

export type PrerenderedShell = {
  readonly file: string
  readonly life: PageCacheLife
}

/** The pages that a build rendered, stored as JSON in `buildLayout.prerendered`. */
export type PrerenderedManifest = {
  readonly version: 1
  /** Files, keyed by pathname, which is percent-encoded as in a link. */
  readonly files: Readonly<Record<string, PrerenderedFile>>
  readonly shells?: Readonly<Record<string, PrerenderedShell>>
  readonly notFound: PrerenderedFile | null
  /** Pathnames of pages, page data and files in `public/` for which proxy.ts or `around` runs. */
  readonly guarded?: readonly string[]
}

export type PlannedRoute = Pick<RouteManifest, 'pattern' | 'kind' | 'file' | 'rendersOthers'> & {
  /** Canonical pathnames that are known at build time. */
  readonly pathnames: readonly string[]
  /** Reason why the route is rendered on each request; `null` if the route may be prerendered. */
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
      /**
       * True if a route intercepts the URL, so that a navigation inside the app may show a
       * different page.
       */
      readonly isIntercepted: boolean
      /** Errors of client components inside Suspense. The browser renders these parts. */
      readonly leftToBrowser: readonly unknown[]
    }
  /** The page is static except for its holes. */
  | {
      readonly kind: 'partial'
      readonly shell: Uint8Array
      readonly life: PageCacheLife
      readonly leftToBrowser: readonly unknown[]
    }
  /** `reason` names the API that made the page dynamic. `stack` is set in development only. */
  | { readonly kind: 'dynamic'; readonly reason: string; readonly stack?: string | undefined }
  | {
      readonly kind: 'failed'
      readonly thrown: unknown
      /**
       * True if a client component threw. The server then responds with 500, and the browser
       * renders the page.
       */
      readonly rendersInBrowser?: boolean
    }

export type Prerenderer = {
  /** True if the app has a proxy.ts. Prerendering doesn't run proxy.ts. */
  readonly isProxied: boolean
  /** Returns true if proxy.ts, or `around` in server.ts, runs for each request for this page. */
  isGuarded(pathname: string): boolean
  /** Returns true if proxy.ts runs before this file in `public/` is sent. */
  isGuardedFile(pathname: string): boolean
  /** Plans which pages to prerender. @throws `PRERENDER_FAILED` if a `generateStaticParams` function throws */
  plan(): Promise<readonly PlannedRoute[]>
  render(pathname: string): Promise<PrerenderedUrl>
  /**
   * Renders the document for URLs without a route. @returns `null` if these URLs can't share one
   * document
   */
  renderNotFound(): Promise<PrerenderedResponse | null>
}
