import type { NextConfig } from './nextConfig.ts'

/** Keys that are read, and those that ask for what is so anyway. */
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

/** Values that ask for what is so anyway. */
const usual: Readonly<Record<string, (value: unknown) => boolean>> = {
  cacheComponents: (value) => value === false,
  experimental: () => true,
  generateEtags: (value) => value === true,
  images: () => true,
  pageExtensions: (value) =>
    Array.isArray(value) && value.every((each) => ['tsx', 'ts', 'jsx', 'js', 'mdx'].includes(each)),
  poweredByHeader: (value) => value === false,
  productionBrowserSourceMaps: (value) => value === false,
  skipTrailingSlashRedirect: (value) => value === false,
  skipMiddlewareUrlNormalize: (value) => value === false,
  skipProxyUrlNormalize: (value) => value === false,
}

/** What happens instead of what a key asks for. */
const notes: Readonly<Record<string, string>> = {
  allowedDevOrigins: 'set server.allowedHosts in vite.config.ts',
  cacheComponents:
    "a page without request data is static as a whole; export const dynamic = 'partial' gives it a static shell, and fetch() with cache: 'no-store' what is new each time",
  cacheHandler: 'server.ts gives the app a cache of its own',
  cacheHandlers: 'server.ts gives the app a cache of its own',
  cacheMaxMemorySize: 'the cache in memory has its own bound; server.ts gives another cache',
  compiler: 'the code is compiled by Vite; add its plugins to vite.config.ts',
  compress:
    'files of the build are compressed in advance; let the server in front compress the pages that are rendered on request',
  crossOrigin: 'scripts are of the app’s own address',
  deploymentId: 'pages of other builds are found by what they hold; there is nothing to set',
  distDir: 'the build is written to .waymark',
  eslint: 'a build does not lint; run ESLint by itself',
  expireTime: 'export const expire, or cacheLife, says when a page is gone',
  generateBuildId: 'a build is named by its content',
  generateEtags: 'static files and pages have an ETag, which saves sending them again',
  htmlLimitedBots: 'crawlers get the whole head without being listed',
  httpAgentOptions: 'connections of fetch() are kept open by Node',
  i18n: 'App Router apps have a [locale] folder; see the guide, Languages',
  logging: 'see the command-line option --log',
  modularizeImports: 'the build leaves out what is not used',
  output:
    'node .waymark/server.js needs no node_modules; waymark({ adapter: staticSite() }) is an export',
  outputFileTracingExcludes: 'a build bundles what it needs',
  outputFileTracingIncludes: 'a build bundles what it needs; read other files from public/',
  outputFileTracingRoot: 'a build bundles what it needs',
  pageExtensions: 'routes end in .tsx, .ts, .jsx, .js or .mdx; rename those that end otherwise',
  poweredByHeader: 'no such header is sent',
  productionBrowserSourceMaps: 'source maps are not served; errors are mapped on the server',
  reactCompiler: 'add its plugin to vite.config.ts',
  skipMiddlewareUrlNormalize: 'proxy.ts gets the URL of the page, also for its data',
  skipProxyUrlNormalize: 'proxy.ts gets the URL of the page, also for its data',
  skipTrailingSlashRedirect:
    'a page has one URL, with or without a slash as trailingSlash says, and the other one redirects there before proxy.ts runs',
  staticPageGenerationTimeout: 'a page that takes too long at build is rendered on request',
  typescript: 'a build does not check types; run tsc by itself',
}

/** Experiments that are the default here, or that are read. */
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

const experimentNotes: Readonly<Record<string, string>> = {
  cacheComponents: notes.cacheComponents ?? '',
  dynamicIO: notes.cacheComponents ?? '',
  inlineCss: 'styles are linked',
  ppr: "export const dynamic = 'partial' asks for it, page by page",
  reactCompiler: notes.reactCompiler ?? '',
  staleTimes: 'the option navigation of waymark() says how long pages are shown again',
  taint: 'taintObject and taintValue of waymark/server are there without it',
  viewTransition: 'wrap what changes in <ViewTransition> of React, where its build has it',
}

const readImageKeys: ReadonlySet<string> = new Set(['unoptimized', 'loaderFile', 'loader'])

const notInUse = 'nothing comes of it here'
const ofVariants =
  'imported files have their variants from the build, 160 to 3840 pixels wide, as WebP; other URLs have what a loader says'
const ofRemote =
  'other URLs are served as they are, or by a loader; remoteImages() of @waymark/image/remote gives one that resizes, for the sources that it names'

/** There is no proxy of images that anybody could ask for a size. */
const imageNotes: Readonly<Record<string, string>> = {
  contentDispositionType: ofRemote,
  contentSecurityPolicy: ofRemote,
  dangerouslyAllowLocalIP: ofRemote,
  dangerouslyAllowSVG: 'an imported SVG is served as it is, and no other is resized',
  deviceSizes: ofVariants,
  disableStaticImages: 'imported images are objects',
  domains: ofRemote,
  formats: ofVariants,
  imageSizes: ofVariants,
  localPatterns: 'files of public/ are served as they are; import those that are to be resized',
  maximumRedirects: ofRemote,
  minimumCacheTTL: 'variants are named by their content, and stay in caches for a year',
  path: ofRemote,
  qualities: ofVariants,
  remotePatterns: ofRemote,
}

/** What is to be said of a configuration: a line for each key of which nothing comes. */
export function configNotes(config: NextConfig): string[] {
  const lines = Object.entries(config).flatMap(([key, value]) => {
    if (value === undefined || readKeys.has(key) || usual[key]?.(value)) return []
    return [`${key}: ${notes[key] ?? notInUse}.`]
  })
  for (const key of keysOf(config.experimental)) {
    if (usualExperiments.has(key)) continue
    lines.push(`experimental.${key}: ${experimentNotes[key] ?? notInUse}.`)
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

/** What the settings of server actions are here, and what is to be said of them. */
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
        `serverActions.allowedOrigins: ${host} is no single origin, and is left out; name each.`,
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
    `serverActions.bodySizeLimit is ${JSON.stringify(size)}; it is a number of bytes, or '2mb'.`,
  )
}
