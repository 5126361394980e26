import type {
  PlannedRoute,
  PrerenderedFile,
  PrerenderedManifest,
  PrerenderedShell,
} from '../../shared/cachedPage.ts'

/** What the worker has to do. */
export type PrerenderJob = {
  /** The built server's entry. */
  readonly entry: string
  /** Folder for the bodies. */
  readonly folder: string
  /** Name of that folder in the manifest. */
  readonly folderName: string
  /** Number of pages rendered at the same time. */
  readonly concurrency: number
}

/** How a route is rendered; its `pathnames` are those that were prerendered. */
export type PrerenderedRoute = Omit<PlannedRoute, 'rendersOthers'> & {
  /** The only URLs of the route; `null` when there may be others. */
  readonly onlyPathnames: readonly string[] | null
}

/** The result of prerendering. */
export type PrerenderOutcome = Omit<PrerenderedManifest, 'version'> & {
  /** Whether the app has a proxy.ts, or an `around` in its server.ts. */
  readonly isProxied: boolean
  readonly routes: readonly PrerenderedRoute[]
  readonly files: Readonly<Record<string, PrerenderedFile>>
  readonly shells: Readonly<Record<string, PrerenderedShell>>
  /** What client components threw: in pages that are left out, and in parts that browsers render. */
  readonly clientFailures: readonly ClientFailure[]
}

export type ClientFailure = PrerenderFailure & {
  /** Whether it was inside of Suspense, so that the page was written. */
  readonly isInSuspense: boolean
}

/** A URL that could not be rendered. */
export type PrerenderFailure = {
  readonly pathname: string
  readonly file: string
  readonly reason: string
  readonly stack: string | null
}

/** What client components threw while pages were prerendered, a text for each. */
export type DescribedFailures = {
  /** The page is not in the build's files. */
  readonly leftOut: readonly string[]
  /** The page is, with the fallback of a Suspense in it. */
  readonly inSuspense: readonly string[]
}

/** What a worker reports. */
export type PrerenderMessage =
  | { readonly kind: 'planned'; readonly total: number }
  | { readonly kind: 'started'; readonly pathname: string; readonly file: string }
  | { readonly kind: 'ended'; readonly pathname: string }
  | { readonly kind: 'done'; readonly outcome: PrerenderOutcome }
  | { readonly kind: 'failed'; readonly failures: readonly PrerenderFailure[] }
  /** The app itself could not be loaded, or its routes not planned. */
  | { readonly kind: 'broken'; readonly reason: string; readonly stack: string | null }
