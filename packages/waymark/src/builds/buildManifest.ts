export const prerenderedManifestName = 'prerendered.json'

/** Names of files and folders of a build, relative to `folder`, which is in the folder of the app. */
export const buildLayout = {
  folder: '.waymark',
  facts: 'build.json',
  /** Files for browsers: hashed assets and the contents of `public/`. */
  client: 'client',
  assets: 'assets.json',
  serverEntry: 'rsc/index.js',
  /** `waymark start` in one file, for machines without node_modules. */
  program: 'server.js',
  /** The packages that the server loads once it needs them; missing where the app lists none. */
  runtime: 'runtime.js',
  prerendered: prerenderedManifestName,
  /** Sizes of the last successful build, for the next build to compare; survives builds. */
  sizes: 'sizes.json',
  pages: 'prerendered',
  maps: 'maps',
  /** Seals closures when `WAYMARK_SECRET` is not set; survives builds. */
  secret: 'secret',
  /** Recorded errors; survives builds. */
  journal: 'journal',
  /** Results of cached functions, and cached pages; survives builds. */
  cache: 'cache',
} as const

/** The facts of a build, as JSON in its file `buildLayout.facts`. */
export type BuildManifest = {
  readonly version: 1
  readonly waymark: string
  /** A hash of the whole output: equal ids mean equal builds. */
  readonly buildId: string
  readonly mode: string
  readonly routes: readonly RouteManifest[]
  /** Reasons why the app needs a server, besides dynamic routes: `server actions`, `proxy.ts`. */
  readonly serverFeatures: readonly string[]
  /** Packages that the server imports instead of holding them: they must be installed with it. */
  readonly externals: readonly string[]
}

/** Assets of earlier builds stay, because their pages may still be open. */
export type AssetsManifest = {
  readonly version: 1
  /** Newest first. */
  readonly builds: readonly {
    readonly buildId: string
    /** Relative to the assets folder, compressed siblings included. */
    readonly files: readonly string[]
  }[]
}

export type RouteManifest = {
  readonly pattern: string
  readonly kind: 'page' | 'route'
  readonly file: string
  readonly rendering: RouteRendering
  /** True when other pathnames match, too. */
  readonly rendersOthers: boolean
  readonly sizes: RouteSizes | null
}

/** Bytes after brotli compression. */
export type RouteSizes = {
  readonly ownJs: number
  readonly sharedJs: number
  /** The largest prerendered document; `null` without one. */
  readonly html: number | null
}

export type MeasuredRoute = Pick<RouteManifest, 'pattern' | 'file' | 'sizes'>

export type RouteRendering =
  /** Partial: static except for its holes, which are rendered for each request. */
  | {
      readonly kind: 'static' | 'partial'
      readonly count: number
      /** Seconds; `null` for never. */
      readonly revalidateSeconds: number | null
    }
  /** `reason` completes the sentence "dynamic: …". */
  | { readonly kind: 'dynamic'; readonly reason: string }

export const devBuildId = 'development'

/** The build as its own server knows it; mostly empty in the dev server. */
export type ServerBuild = {
  readonly buildId: string
  /** URLs of stylesheets, by route file relative to the app folder. */
  readonly stylesheets: Readonly<Record<string, readonly string[]>>
  /** URLs of client component scripts, by page file relative to the app folder. */
  readonly scripts: Readonly<Record<string, readonly string[]>>
  /** By pattern, the only pathnames with `dynamicParams = false`; `null` in the dev server. */
  readonly closedRoutes: Readonly<Record<string, readonly string[]>> | null
  readonly actions: BuiltActions
  /**
   * Keys of the client references that a route file may show, by file relative to the app folder.
   * `null` in the dev server, which does not know them in advance.
   */
  readonly clientFiles: Readonly<Record<string, readonly string[]>> | null
  readonly secret: string | null
  /** Patterns of static routes, whose responses are cached. Empty in the dev server. */
  readonly staticRoutes: readonly string[]
  /** Patterns of partially static routes. Empty in the dev server. */
  readonly partialRoutes: readonly string[]
}

/** `integrity` values by URL of a script or stylesheet. Empty when the app did not ask for them. */
export type Integrity = Readonly<Record<string, string>>

/** What the bundles of the server know of the files for browsers. */
export type ClientAssets = {
  readonly integrity: Integrity
  /** Scripts of React and the router: interactive pages load them at once. */
  readonly app: readonly string[]
}

/** Route files that import an action, by its id; relative to the app folder. */
export type BuiltActions = Readonly<Record<string, readonly string[]>>
