/**
 * A condition of a rule. Its value is a regular expression that must match the complete value in
 * the request.
 */
export type Condition = {
  readonly type: 'header' | 'cookie' | 'query' | 'host'
  readonly key?: string | undefined
  readonly value?: string | undefined
}

/** Properties that all rules have. */
export type Rule = {
  readonly source: string
  readonly has?: readonly Condition[] | undefined
  readonly missing?: readonly Condition[] | undefined
  readonly basePath?: false | undefined
  readonly locale?: false | undefined
}

export type Redirect = Rule & { readonly destination: string } & (
    | { readonly permanent: boolean }
    | { readonly statusCode: number }
  )
export type Rewrite = Rule & { readonly destination: string }
export type Header = Rule & {
  readonly headers: readonly { readonly key: string; readonly value: string }[]
}

/** Rewrites by phase: before the app's pages, together with them, or for paths without a page. */
export type Rewrites = {
  readonly beforeFiles?: readonly Rewrite[] | undefined
  readonly afterFiles?: readonly Rewrite[] | undefined
  readonly fallback?: readonly Rewrite[] | undefined
}

/** All rewrites by phase, with empty lists for missing phases. */
export type SortedRewrites = {
  readonly [Phase in keyof Rewrites]-?: NonNullable<Rewrites[Phase]>
}

/** Options of `next/image`. */
export type ImagesConfig = {
  readonly unoptimized?: boolean | undefined
  /** Module whose default export is the loader for images that don't set a loader. */
  readonly loaderFile?: string | undefined
}

/** Keys of `next.config` that Waymark reads. All others cause a warning. */
export type NextConfig = {
  redirects?: () => Promise<readonly Redirect[]> | readonly Redirect[]
  rewrites?: () => Promise<readonly Rewrite[] | Rewrites> | readonly Rewrite[] | Rewrites
  headers?: () => Promise<readonly Header[]> | readonly Header[]
  env?: Readonly<Record<string, string | undefined>>
  transpilePackages?: readonly string[]
  serverExternalPackages?: readonly string[]
  turbopack?: { resolveAlias?: Readonly<Record<string, unknown>>; [key: string]: unknown }
  sassOptions?: {
    readonly includePaths?: readonly string[]
    readonly prependData?: unknown
    readonly additionalData?: unknown
    readonly [key: string]: unknown
  }
  basePath?: string
  trailingSlash?: boolean
  images?: ImagesConfig & { readonly [key: string]: unknown }
  assetPrefix?: string
  /** Lifetimes for `cacheLife()`, keyed by name. `stale` has no effect. */
  cacheLife?: Readonly<Record<string, { stale?: number; revalidate?: number; expire?: number }>>
  /** Called with a fake configuration. Waymark then reads those changes that it supports. */
  // biome-ignore lint/suspicious/noExplicitAny: the types of another bundler
  webpack?: ((config: any, options: any) => any) | null
  [key: string]: unknown
}

/** The rules that the proxy applies. */
export type ConfigRules = {
  readonly redirects: readonly Redirect[]
  readonly headers: readonly Header[]
  readonly rewrites: SortedRewrites
}
