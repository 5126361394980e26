import type { PlannedRoute, PrerenderedFile, PrerenderedShell } from '../../shared/cachedPage.ts'

/** What a worker is started with. */
export type PrerenderJob = {
  /** The built server's entry. */
  readonly entry: string
  /** Folder that the bodies are written to. */
  readonly folder: string
  /** Name of that folder in the manifest. */
  readonly folderName: string
  /** Pages rendered at the same time. */
  readonly concurrency: number
}

/** What became of a route. */
export type PrerenderedRoute = Pick<
  PlannedRoute,
  'pattern' | 'kind' | 'file' | 'revalidateSeconds'
> & {
  /** Of the URLs that were prerendered. */
  readonly pathnames: readonly string[]
  /** Why it is rendered for each request; `null` when it was prerendered. */
  readonly dynamicReason: string | null
  /** Whether of its pages only a part was. */
  readonly isPartial: boolean
  /** The only URLs that it answers; `null` when there may be others. */
  readonly onlyPathnames: readonly string[] | null
}

/** All that a worker has done. */
export type PrerenderOutcome = {
  readonly routes: readonly PrerenderedRoute[]
  /** By pathname, of pages and of their data. */
  readonly files: Readonly<Record<string, PrerenderedFile>>
  /** By pathname, of pages that are static in part. */
  readonly shells: Readonly<Record<string, PrerenderedShell>>
  readonly notFound: PrerenderedFile | null
  /** Whether the app has a proxy.ts, to be asked before any of them is sent. */
  readonly isProxied: boolean
}

/** A URL that could not be rendered. */
export type PrerenderFailure = {
  readonly pathname: string
  readonly file: string
  readonly reason: string
  readonly stack: string | null
}

/** What a worker tells while it works. */
export type WorkerMessage =
  | { readonly kind: 'planned'; readonly total: number }
  | { readonly kind: 'started'; readonly pathname: string; readonly file: string }
  | { readonly kind: 'ended'; readonly pathname: string }
  | { readonly kind: 'done'; readonly outcome: PrerenderOutcome }
  | { readonly kind: 'failed'; readonly failures: readonly PrerenderFailure[] }
  /** The app itself could not be loaded or planned. */
  | { readonly kind: 'broken'; readonly message: string; readonly stack: string | null }
