export const prerenderedManifestName = 'prerendered.json'

/** Names of a build's files and folders, relative to `folder`, which is in the app's folder. */
export const buildLayout = {
  folder: '.waymark',
  facts: 'build.json',
  /** Files for browsers: hashed assets and the contents of `public/`. */
  client: 'client',
  assets: 'assets.json',
  serverEntry: 'rsc/index.js',
  /** `waymark start` in a single file, for machines without node_modules. */
  program: 'server.js',
  /**
   * Module that loads packages that the server only needs in certain cases. Missing if the app has
   * no such packages.
   */
  runtime: 'runtime.js',
  prerendered: prerenderedManifestName,
  /** Sizes of the last successful build, for comparison with the next build. The file survives builds. */
  sizes: 'sizes.json',
  pages: 'prerendered',
  maps: 'maps',
  /**
   * Secret that encrypts the values of closures if `WAYMARK_SECRET` isn't set. The file survives
   * builds.
   */
  secret: 'secret',
  /** Folder of recorded errors, which survives builds. */
  journal: 'journal',
  /** Folder with results of cached functions and cached pages, which survives builds. */
  cache: 'cache',
} as const

/** Facts about a build, stored as JSON in `buildLayout.facts`. */
export type BuildManifest = {
  readonly version: 1
  readonly waymark: string
  /** Hash of the whole output. Equal ids mean equal builds. */
  readonly buildId: string
  readonly mode: string
  readonly routes: readonly RouteManifest[]
  /**
   * Reasons why the app needs a server, other than dynamic routes: `server actions`, `proxy.ts`.
   */
  readonly serverFeatures: readonly string[]
  /**
   * Packages that the server imports at run time. They aren't bundled, so they must be installed on
   * the server.
   */
  readonly externals: readonly string[]
  /** Host for which the adapter wrote the build. */
  readonly host: {
    readonly name: string
    /** Features that the host lacks, without those that a store of the app replaces. */
    readonly lacks: readonly string[]
  }
}

/** Lists the assets of this build and of earlier ones whose pages may still be open in browsers. */
export type AssetsManifest = {
  readonly version: 1
  /** Builds, newest first. */
  readonly builds: readonly {
    readonly buildId: string
    /** Paths relative to the assets folder, including compressed versions. */
    readonly files: readonly string[]
  }[]
}

export type RouteManifest = {
  readonly pattern: string
  readonly kind: 'page' | 'route'
  readonly file: string
  readonly rendering: RouteRendering
  /** True if the route also matches pathnames that weren't prerendered. */
  readonly rendersOthers: boolean
  readonly sizes: RouteSizes | null
}

/** Sizes in bytes after Brotli compression. */
export type RouteSizes = {
  /** JavaScript that no other route loads, before the page is interactive. */
  readonly pageJs: number
  /** JavaScript that other routes load, too, before the page is interactive. */
  readonly sharedJs: number
  /**
   * All JavaScript that the page has loaded when it is idle: `pageJs`, `sharedJs`, and at most what
   * the framework and packages load after that.
   */
  readonly idleJs: number
  /** Size of the largest prerendered document; `null` without prerendered documents. */
  readonly html: number | null
}

export type MeasuredRoute = Pick<RouteManifest, 'pattern' | 'file' | 'sizes'>

/** Route of the previous build. An older version of Waymark may have measured fewer sizes. */
export type PreviousRoute = Omit<MeasuredRoute, 'sizes'> & {
  readonly sizes: Partial<RouteSizes> | null
}

export type RouteRendering =
  /** `partial` pages are static except for their holes, which are rendered on each request. */
  | {
      readonly kind: 'static' | 'partial'
      readonly count: number
      /** Seconds until a page is regenerated; `null` for never. */
      readonly revalidateSeconds: number | null
    }
  /** `reason` completes the sentence "dynamic: …". */
  | { readonly kind: 'dynamic'; readonly reason: string }

export const devBuildId = 'development'

/** URLs of the browser's files for each route file. Paths of files are relative to the app folder. */
export type RouteAssets = {
  /** URLs of stylesheets, keyed by route file. */
  readonly stylesheets: Readonly<Record<string, readonly string[]>>
  /** URLs of client components' scripts, keyed by page file. */
  readonly scripts: Readonly<Record<string, readonly string[]>>
}

/** Data about the build for its own server. Mostly empty in the dev server. */
export type ServerBuild = RouteAssets & {
  readonly buildId: string
  /** The files of each variant of the browser's code, keyed by the variant's id. */
  readonly variants?: Readonly<Record<string, RouteAssets>>
  /** Allowed pathnames for each route with `dynamicParams = false`, keyed by pattern. `null` in the dev server. */
  readonly closedRoutes: Readonly<Record<string, readonly string[]>> | null
  readonly actions: BuiltActions
  /**
   * Keys of the client references that each route file may show. Files are relative to the app
   * folder. `null` in the dev server, which doesn't know the keys in advance.
   */
  readonly clientFiles: Readonly<Record<string, readonly string[]>> | null
  readonly secret: string | null
  /** Patterns of static routes, whose responses are cached. Empty in the dev server. */
  readonly staticRoutes: readonly string[]
  /** Patterns of partially static routes. Empty in the dev server. */
  readonly partialRoutes: readonly string[]
}

/**
 * `integrity` values, keyed by the URL of a script or stylesheet. Empty if the app hasn't enabled
 * integrity checks.
 */
export type Integrity = Readonly<Record<string, string>>

/** Data about the browser's files for the server's bundles. */
export type ClientAssets = {
  readonly integrity: Integrity
  /** Scripts of React and the router, which interactive pages load at once. */
  readonly app: readonly string[]
  /** The files of each variant of the browser's code, keyed by the variant's id. */
  readonly variants?: Readonly<Record<string, VariantFiles>>
}

type FileUrls = { readonly js: readonly string[]; readonly css: readonly string[] }

/** URLs of a variant's files, with the names of plugin-rsc's manifest. */
export type VariantFiles = Pick<ClientAssets, 'app'> & {
  readonly clientEntryUrl: string
  readonly clientEntryDeps: FileUrls
  readonly clientReferenceDeps: Readonly<Record<string, FileUrls>>
}

/** Route files that import an action, keyed by the action's id. Paths are relative to the app folder. */
export type BuiltActions = Readonly<Record<string, readonly string[]>>
