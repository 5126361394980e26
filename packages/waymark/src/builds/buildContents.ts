import type { Validators } from '../http/conditionalRequest.ts'
import type { HeaderLines } from '../http/response.ts'
import type { PageCacheLife, PrerenderedShell } from './cachedPage.ts'

/** A file of a build, as it is sent. */
export type BuildFile = Validators & {
  /** Path of the bytes from the build's folder, with slashes. */
  readonly file: string
  readonly status: number
  /**
   * Header lines, `content-type` and `cache-control` among them. The host adds `etag`, for the
   * status 200, and `content-length`; `vary` and `content-encoding` if it sends compressed bytes.
   */
  readonly headers: HeaderLines
  /** The same bytes, compressed, by their content coding. */
  readonly compressed: { readonly [coding in 'br' | 'zstd' | 'gzip']?: CompressedFile }
  /**
   * True when proxy.ts, or `around()` of server.ts, decides about each request. A host that runs no
   * code must not have the file.
   */
  readonly isGuarded: boolean
}

export type CompressedFile = Pick<BuildFile, 'file' | 'etag' | 'size'>

/** A response that the build has rendered: a document, page data, or the response of a route handler. */
export type BuildPage = BuildFile & {
  /**
   * For how long the response is fresh, and the tags that end it before. `null` for page data,
   * which lives as long as its document.
   */
  readonly life: PageCacheLife | null
  /** A request with one of these headers gets another response, from the server. */
  readonly handlerOnHeaders: readonly string[]
  /** True when a route handler sets its own `cache-control`. */
  readonly hasOwnCaching: boolean
}

/** All that a build holds besides code. Survives `JSON.stringify`. */
export type BuildContents = {
  /** Time at which the pages were rendered. */
  readonly builtAtMs: number
  /** Files for browsers, by pathname: hashed assets, and those of `public/`. */
  readonly files: Readonly<Record<string, BuildFile>>
  /** By pathname, percent-encoded as in a link, without the base path. */
  readonly pages: Readonly<Record<string, BuildPage>>
  /** The static parts of partially static pages, which only the server reads. */
  readonly shells: Readonly<Record<string, PrerenderedShell>>
  /** The document for URLs without a route; `null` where the server renders it. */
  readonly notFound: BuildFile | null
}
