import type { Validators } from '../http/conditionalRequest.ts'
import type { HeaderLines } from '../http/response.ts'
import type { PageCacheLife, PrerenderedShell } from './cachedPage.ts'

/** A file of a build, with the headers to send. */
export type BuildFile = Validators & {
  /** Path of the file relative to the build's folder, with slashes. */
  readonly file: string
  readonly status: number
  /**
   * Header lines, including `content-type` and `cache-control`. The host adds `content-length`, and `etag` for status
   * 200. A host that sends compressed bytes also adds `vary` and `content-encoding`.
   */
  readonly headers: HeaderLines
  /** Compressed versions of the file, keyed by content coding. */
  readonly compressed: { readonly [coding in 'br' | 'zstd' | 'gzip']?: CompressedFile }
  /**
   * True if proxy.ts or `around()` in server.ts decides about each request. Don't deploy such a
   * file to a host that runs no code.
   */
  readonly isGuarded: boolean
}

export type CompressedFile = Pick<BuildFile, 'file' | 'etag' | 'size'>

/**
 * A response that the build rendered: a document, page data, or the response of a route handler.
 */
export type BuildPage = BuildFile & {
  /**
   * Seconds for which the response is fresh, and tags that make it stale earlier. `null` for page
   * data, which has its document's lifetime.
   */
  readonly life: PageCacheLife | null
  /** Names of request headers. If a request has one of them, the server must respond. */
  readonly handlerOnHeaders: readonly string[]
  /** True if a route handler sets its own `cache-control`. */
  readonly hasCustomCaching: boolean
}

/** Everything in a build except its code. It can be stored as JSON. */
export type BuildContents = {
  /** Time at which the pages were rendered, in milliseconds since the epoch. */
  readonly builtAtMs: number
  /** Files for browsers, keyed by pathname: hashed assets and the files in `public/`. */
  readonly files: Readonly<Record<string, BuildFile>>
  /**
   * Pages, keyed by pathname, which is percent-encoded as in a link and doesn't contain the base
   * path.
   */
  readonly pages: Readonly<Record<string, BuildPage>>
  /** Static parts of partially static pages. Only the server reads them. */
  readonly shells: Readonly<Record<string, PrerenderedShell>>
  /** Document for URLs that no route matches. `null` if the server renders it. */
  readonly notFound: BuildFile | null
}
