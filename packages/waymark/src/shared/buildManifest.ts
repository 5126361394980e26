/** Name of the manifest of prerendered responses, in the build's folder. */
export const prerenderedManifestName = 'prerendered.json'

/** Where the parts of a build stand, relative to its folder. */
export const buildLayout = {
  folder: '.waymark',
  /** Facts about the build, as JSON: a `BuildFacts`. */
  facts: 'build.json',
  /** Files for browsers: hashed assets, and what `public/` holds. */
  client: 'client',
  /** Which of the hashed assets are of which build, as JSON: an `AssetsManifest`. */
  assets: 'assets.json',
  serverEntry: 'rsc/index.js',
  /** `waymark start` in one file, for where nothing is installed. */
  program: 'server.js',
  prerendered: prerenderedManifestName,
  /** Routes of the last build that succeeded, for the next to compare, as JSON; it outlives builds. */
  sizes: 'sizes.json',
  /** Bodies of what `prerendered` lists. */
  pages: 'prerendered',
  /** Source maps, by build; no server serves them. */
  maps: 'maps',
  /** Seals what actions close over, where `WAYMARK_SECRET` is not set; it outlives builds. */
  secret: 'secret',
  /** Errors that occurred; it outlives builds. */
  journal: 'journal',
  /** Results of cached functions, and cached pages; it outlives builds. */
  cache: 'cache',
} as const

/** What a build says about itself. */
export type BuildManifest = {
  readonly version: 1
  /** Version of Waymark that wrote it. */
  readonly waymark: string
  /** A hash over all that was built: equal ids mean equal builds. */
  readonly buildId: string
  /** Which `.env` files counted. */
  readonly mode: string
  readonly routes: readonly RouteManifest[]
  /** What the app needs a server for besides its dynamic routes: `server actions`, `proxy.ts`. */
  readonly serverFeatures: readonly string[]
  /** What became of each change to the text of React, Vite and plugin-rsc, by its name. */
  readonly patches: Readonly<Record<string, string>>
  /** Packages that the server imports instead of holding them: they must be installed with it. */
  readonly externals: readonly string[]
}

/** The builds whose hashed assets a build holds: the pages of earlier ones are still open. */
export type AssetsManifest = {
  readonly version: 1
  /** The newest first: the one that was made. */
  readonly builds: readonly {
    readonly buildId: string
    /** Below the folder of the hashed assets, compressed siblings included. */
    readonly files: readonly string[]
  }[]
}

/** What became of one route. */
export type RouteManifest = {
  /** `/blog/[slug]` */
  readonly pattern: string
  readonly kind: 'page' | 'route'
  /** Relative to the app folder. */
  readonly file: string
  readonly rendering: RouteRendering
  /** Whether it answers URLs beside those that were prerendered. */
  readonly rendersOthers: boolean
  /** `null` for a route handler. */
  readonly sizes: RouteSizes | null
}

/** Bytes that a browser loads for a page, compressed with brotli. */
export type RouteSizes = {
  /** JavaScript that no other route loads. */
  readonly ownJs: number
  /** JavaScript that other routes load, too. */
  readonly sharedJs: number
  /** The largest of its prerendered documents; `null` where there is none. */
  readonly html: number | null
}

/** What a build compares with the one before. */
export type MeasuredRoute = Pick<RouteManifest, 'pattern' | 'file' | 'sizes'>

/** When a route is rendered. */
type RouteRendering =
  | {
      readonly kind: 'static'
      /** URLs that were prerendered. */
      readonly count: number
      /** Seconds after which it is to be rendered again; `null` for never. */
      readonly revalidateSeconds: number | null
    }
  /** Outside of its holes as a static one, in them for each request. */
  | {
      readonly kind: 'partial'
      /** URLs whose shell was rendered at build. */
      readonly count: number
      readonly revalidateSeconds: number | null
    }
  /** For each request; `reason` completes the sentence "dynamic: …". */
  | { readonly kind: 'dynamic'; readonly reason: string }

/** What the dev server calls its build. */
export const devBuildId = 'development'

/** What the built server knows of its own build; the dev server knows nothing of the kind. */
export type ServerBuild = {
  /** `development` in the dev server. */
  readonly buildId: string
  /** By route file, relative to the app folder: URLs of the stylesheets it brings along. */
  readonly stylesheets: Readonly<Record<string, readonly string[]>>
  /** By page file, relative to the app folder: URLs of the scripts of its client components. */
  readonly scripts: Readonly<Record<string, readonly string[]>>
  /**
   * By the pattern of routes that export `dynamicParams = false`: the only pathnames that answer.
   * `null` in the dev server, which asks `generateStaticParams` instead.
   */
  readonly closedRoutes: Readonly<Record<string, readonly string[]>> | null
  /** The server actions that may be called. */
  readonly actions: BuiltActions
  /** What seals the values of closures where `WAYMARK_SECRET` is not set; `null` where it was. */
  readonly secret: string | null
  /** Patterns of the routes whose responses are cached: the static ones. None in the dev server. */
  readonly staticRoutes: readonly string[]
  /** Patterns of the routes whose pages are static in part. None in the dev server. */
  readonly partialRoutes: readonly string[]
}

/**
 * By the URL of a script or stylesheet of the build: its hash, as an `integrity` attribute has it.
 * Empty where the app configured none.
 */
export type Integrity = Readonly<Record<string, string>>

/** By the id of an action: the route files that reach it, relative to the app folder. */
export type BuiltActions = Readonly<Record<string, readonly string[]>>

/** URLs of the scripts that pages load. */
export type ClientScripts = {
  /** What interactive pages load at once, and others when it is needed: React, the router. */
  readonly app: readonly string[]
  /** What reads the elements that a payload leaves to its HTML. */
  readonly reader: readonly string[]
  /** By client file, as payloads name it. */
  readonly files: Readonly<Record<string, readonly string[]>>
}
