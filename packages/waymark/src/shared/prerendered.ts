import type { HeaderLines } from './answer.ts'
import type { PageCacheLife } from './keptPages.ts'

/** One prerendered answer: a document, or a page's data. */
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
  /** Of a document or a route handler's answer: how long it, and its data, may be served. */
  readonly life?: PageCacheLife
}

/** The shell of a page that is static in part: no answer, but the begin of one. */
export type PrerenderedShell = {
  /** Relative to the manifest's folder. */
  readonly file: string
  readonly life: PageCacheLife
}

/** What the build writes to `prerendered.json`, and a server reads at its start. */
export type PrerenderedManifest = {
  readonly version: 1
  /** Whether the app's proxy.ts is to be asked before any of them is sent. */
  readonly isProxied: boolean
  /** By the pathname of their URL, percent-encoded as in a link. */
  readonly files: Readonly<Record<string, PrerenderedFile>>
  /** Shells of pages that are static in part, by pathname. */
  readonly shells?: Readonly<Record<string, PrerenderedShell>>
  /** The document for URLs that no route answers. */
  readonly notFound: PrerenderedFile | null
}
