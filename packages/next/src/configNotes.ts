import type { NextConfig } from './nextConfig.ts'
import { pageExtensionsNote } from './pageExtensions.ts'

/** Keys of `next.config` that are supported or don't need a note. */
const readKeys: ReadonlySet<string> = new Set([
  'redirects',
  'rewrites',
  'headers',
  'env',
  'transpilePackages',
  'serverExternalPackages',
  'turbopack',
  'webpack',
  'basePath',
  'assetPrefix',
  'trailingSlash',
  'cacheLife',
  'reactStrictMode',
  'typedRoutes',
  'useFileSystemPublicRoutes',
  'cleanDistDir',
  'bundlePagesRouterDependencies',
  'sassOptions',
  'swcMinify',
])

/** Checks for values that match what Waymark does anyway, so that they need no note. */
const usual: Readonly<Record<string, (value: unknown) => boolean>> = {
  cacheComponents: (value) => value === false,
  experimental: () => true,
  generateEtags: (value) => value === true,
  images: () => true,
  poweredByHeader: (value) => value === false,
  productionBrowserSourceMaps: (value) => value === false,
  skipTrailingSlashRedirect: (value) => value === false,
  skipMiddlewareUrlNormalize: (value) => value === false,
  skipProxyUrlNormalize: (value) => value === false,
}

/** Notes for unsupported keys: what Waymark does instead, or what the user has to do. */
const notes: Readonly<Record<string, string>> = {
  allowedDevOrigins: 'set server.allowedHosts in vite.config.ts',
  cacheComponents:
    "pages that read no request data are static. For a static shell with dynamic parts, use export const dynamic = 'partial', and fetch() with cache: 'no-store'",
  cacheHandler: 'set the cache in server.ts',
  cacheHandlers: 'set the cache in server.ts',
  cacheMaxMemorySize:
    'the cache in memory has a fixed limit. To use a different cache, set it in server.ts',
  compress:
    "the build's files are compressed in advance. Let your reverse proxy compress pages that are rendered on request",
  crossOrigin: "scripts are served from the app's own origin",
  deploymentId: 'Waymark detects pages from other builds by their content. No setting is needed',
  distDir: 'the build is always written to .waymark',
  eslint: "the build doesn't lint. Run ESLint separately",
  expireTime: "set a page's expiry with export const expire or cacheLife",
  generateBuildId: "the build's id is a hash of its content",
  generateEtags: 'static files and pages always have an ETag',
  htmlLimitedBots: 'all crawlers get the complete head, so there is no list of them',
  httpAgentOptions: 'Node keeps fetch() connections open by default',
  i18n: 'use a [locale] folder. See Languages in the guide',
  logging: 'use the command-line option --log',
  modularizeImports: 'the build removes unused exports',
  output:
    'node .waymark/server.js runs without node_modules. For a static export, use waymark({ adapter: staticSite() })',
  outputFileTracingExcludes: 'the build bundles everything that it needs',
  outputFileTracingIncludes:
    'the build bundles everything that it needs. Put other files that the server reads into public/',
  outputFileTracingRoot: 'the build bundles everything that it needs',
  poweredByHeader: 'Waymark never sends this header',
  productionBrowserSourceMaps: "source maps aren't served. The server maps errors to your source",
  reactCompiler: 'add its plugin to vite.config.ts',
  skipMiddlewareUrlNormalize: "proxy.ts gets the page's URL for data requests, too",
  skipProxyUrlNormalize: "proxy.ts gets the page's URL for data requests, too",
  skipTrailingSlashRedirect:
    'trailingSlash decides the one URL of each page. The other spelling redirects to it before proxy.ts runs',
  staticPageGenerationTimeout: 'a page that takes too long at build time is rendered on request',
  typescript: "the build doesn't check types. Run tsc separately",
}

/** Experiments without a note, because Waymark supports them or always does the same. */
const usualExperiments: ReadonlySet<string> = new Set([
  'cacheLife',
  'authInterrupts',
  'typedRoutes',
  'typedEnv',
  'useCache',
  'optimizePackageImports',
  'scrollRestoration',
  'turbopackFileSystemCacheForDev',
  'mdxRs',
  'webpackBuildWorker',
  'parallelServerCompiles',
  'parallelServerBuildTraces',
  'cpus',
  'appDir',
  'serverActions',
  'serverComponentsExternalPackages',
  'clientSegmentCache',
  'nodeMiddleware',
  'instrumentationHook',
  'bundlePagesExternals',
  'turbo',
  'serverComponentsHmrCache',
  'globalNotFound',
  'optimizeServerReact',
  'serverMinification',
])

const ofCompiler = 'Vite compiles the code. Add its plugins to vite.config.ts'

const compilerNotes: Readonly<Record<string, string>> = {
  define: 'set define in vite.config.ts',
  runAfterProductionCompile:
    "the build doesn't call this function. Do its work, such as uploading source maps, after waymark build",
}

const experimentNotes: Readonly<Record<string, string>> = {
  cacheComponents: notes.cacheComponents ?? '',
  dynamicIO: notes.cacheComponents ?? '',
  inlineCss: 'style sheets are always linked',
  ppr: "enable it for each page with export const dynamic = 'partial'",
  reactCompiler: notes.reactCompiler ?? '',
  staleTimes: "set how long pages are reused with waymark()'s navigation option",
  taint: 'taintObject and taintValue from waymark/server need no setting',
  viewTransition: "use React's <ViewTransition>, if your React version has it",
}

const readImageKeys: ReadonlySet<string> = new Set(['unoptimized', 'loaderFile', 'loader'])

const notInUse = 'Waymark ignores it'
const ofVariants =
  'the build resizes imported images to 160 to 3840 pixels, as WebP. For other URLs, use a loader'
const ofRemote =
  'other URLs are used unchanged, or go through a loader. remoteImages() from @waymark/image/remote creates a loader that resizes images from allowed sources'

/** Notes for keys of `images`. Waymark has no public endpoint that resizes any URL to any size. */
const imageNotes: Readonly<Record<string, string>> = {
  contentDispositionType: ofRemote,
  contentSecurityPolicy: ofRemote,
  dangerouslyAllowLocalIP: ofRemote,
  dangerouslyAllowSVG: "imported SVG files are served unchanged, and remote ones aren't resized",
  deviceSizes: ofVariants,
  disableStaticImages: 'imported images are always objects',
  domains: ofRemote,
  formats: ofVariants,
  imageSizes: ofVariants,
  localPatterns: 'files in public/ are served unchanged. Import images that should be resized',
  maximumRedirects: ofRemote,
  minimumCacheTTL: 'resized files are named by their content, and are cached for a year',
  path: ofRemote,
  qualities: ofVariants,
  remotePatterns: ofRemote,
}

/**
 * Returns one line for each key that Waymark ignores or treats differently.
 * @param root of the project, absolute
 */
export function configNotes(config: NextConfig, root: string): string[] {
  const lines = Object.entries(config).flatMap(([key, value]) => {
    if (value === undefined || key === 'compiler') return []
    if (key === 'pageExtensions') return pageExtensionsNote(root, value) ?? []
    if (readKeys.has(key) || usual[key]?.(value)) return []
    return [`${key}: ${notes[key] ?? notInUse}.`]
  })
  for (const key of keysOf(config.experimental)) {
    if (usualExperiments.has(key)) continue
    lines.push(`experimental.${key}: ${experimentNotes[key] ?? notInUse}.`)
  }
  for (const key of keysOf(config.compiler)) {
    lines.push(`compiler.${key}: ${compilerNotes[key] ?? ofCompiler}.`)
  }
  for (const key of keysOf(config.images)) {
    if (!readImageKeys.has(key)) lines.push(`images.${key}: ${imageNotes[key] ?? notInUse}.`)
  }
  return lines
}

function keysOf(group: unknown): string[] {
  if (typeof group !== 'object' || group === null) return []
  return Object.entries(group).flatMap(([key, value]) =>
    value === undefined || value === false ? [] : [key],
  )
}

/**
 * Reads the settings for server actions. @returns the settings, and a line for each unsupported
 * setting
 */
export function readActionSettings(config: NextConfig): {
  readonly actions: { readonly maxBytes?: number; readonly allowedOrigins?: readonly string[] }
  readonly lines: readonly string[]
} {
  const group = { ...(config.experimental as ActionGroup), ...(config as ActionGroup) }
  const { bodySizeLimit, allowedOrigins = [] } = group.serverActions ?? {}
  const maxBytes = bodySizeLimit === undefined ? null : parseSize(bodySizeLimit)
  const lines = allowedOrigins
    .filter((host) => host.includes('*'))
    .map(
      (host) =>
        `serverActions.allowedOrigins: ${host} is ignored, because it is not a single origin. List each origin.`,
    )
  const origins = allowedOrigins
    .filter((host) => !host.includes('*'))
    .map((host) => (host.includes('://') ? host : `https://${host}`))
  return {
    actions: {
      ...(maxBytes === null ? {} : { maxBytes }),
      ...(origins.length > 0 ? { allowedOrigins: origins } : {}),
    },
    lines,
  }
}

type ActionGroup = {
  readonly serverActions?: {
    readonly bodySizeLimit?: number | string
    readonly allowedOrigins?: readonly string[]
  }
}

const units: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }

function parseSize(size: number | string): number {
  const [, count, unit = 'b'] = /^([\d.]+)\s*([kmg]?b)?$/i.exec(String(size)) ?? []
  const bytes = Math.floor(Number(count) * (units[unit.toLowerCase()] ?? Number.NaN))
  if (bytes > 0) return bytes
  throw new Error(
    `serverActions.bodySizeLimit is ${JSON.stringify(size)}. Set a number of bytes, or a string such as '2mb'.`,
  )
}
