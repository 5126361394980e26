import path from 'node:path'
import { normalizePath } from 'vite'
import { buildLayout } from '../../builds/buildManifest.ts'
import { type LifetimeOptions, readLifetime } from '../../cache/cacheLife.ts'
import { linesFor, type PackageHint, packageHints } from '../../node/packageHints.ts'
import { checkOption, frameworkError } from '../../shared/errors.ts'
import {
  type ActionSettings,
  defaultNavigation,
  defaultPrefetch,
  type NavigationSettings,
  type PrefetchLimits,
  resolveActionSettings,
} from '../../shared/settings.ts'
import { resolveThemeOptions, type ThemeOptions } from '../../theme/themeOptions.ts'
import type { ListedPackage } from './definePackage.ts'
import { type Adapter, checkAdapter, type HostFeature, hostFeatures } from './hostAdapter.ts'
import {
  hasIntegrity,
  resolveAllowedHosts,
  resolveSecurity,
  type SecurityOptions,
} from './securityOptions.ts'
import { type ClientVariants, resolveVariants } from './variantOptions.ts'

/** Options of the `waymark()` plugin. */
export type WaymarkOptions = {
  /**
   * Host for which to build the app: `node()`, `staticSite()`, or an adapter from a package. Default:
   * `node()`.
   */
  readonly adapter?: Adapter
  /**
   * Features that the host lacks and the app uses nevertheless, such as `sockets`. Those parts of
   * the app don't work on this host, and the build succeeds. Default: none.
   */
  readonly allowMissing?: readonly HostFeature[]
  /** Folder of the routes, relative to the project's root. Default: `app`. */
  readonly appDir?: string
  /**
   * Module whose exports are used instead of proxy.ts. Default: proxy.ts next to the routes folder.
   */
  readonly proxy?: string
  /**
   * Module that runs in browsers before the rest of the app. It exports `onNavigationStart`, which
   * is called at the start of each navigation.
   */
  readonly clientSetup?: string
  /** Path at which the app is mounted, such as `/docs`. Links, the router and redirects add this path. */
  readonly basePath?: string
  /**
   * True if page URLs end with a slash. URLs of files (`a.txt`) don't. Other forms redirect.
   * Default: `false`.
   */
  readonly trailingSlash?: boolean
  /**
   * Host or path from which browsers load a build's scripts, styles and imported files, such as
   * `https://cdn.example.com`. URLs consist of this prefix and `/_waymark/assets/…`.
   */
  readonly assetPrefix?: string
  /**
   * Builds the browser's code once for each variant, such as each language. `choose` is the path of
   * a module that exports `chooseVariant`, relative to the project's root. Default: one build.
   */
  readonly variants?: ClientVariants<string>
  /** Settings for compiling `.mdx` files. */
  readonly mdx?: MdxOptions
  /**
   * Settings for light, dark and other themes: where the preference is stored and which attributes
   * mark the theme.
   */
  readonly theme?: ThemeOptions
  /**
   * Milliseconds that a document's head waits for layouts, page and metadata, which decide its
   * status. Default: 100. Routes can override it with `export const statusDeadlineMs`.
   */
  readonly statusDeadlineMs?: number
  /**
   * Milliseconds that a response waits for its final status if the client needs it. Crawlers and
   * link previews do, as do pages that are requested again because their status came too late.
   * Default: 30,000.
   */
  readonly settleDeadlineMs?: number
  /**
   * Time limits for navigations, and for how long pages stay cached after the user has left them.
   */
  readonly navigation?: Partial<NavigationSettings>
  /** Limits for prefetching. */
  readonly prefetch?: Partial<PrefetchLimits>
  /** Lifetimes for `cacheLife()`, by name, in seconds. They may replace built-in lifetimes. */
  readonly cacheLife?: Readonly<Record<string, LifetimeOptions>>
  /** Content-Security-Policy, headers for every response, and the hosts that the app serves. */
  readonly security?: SecurityOptions
  /**
   * Number of builds whose assets are kept, including the new one, for pages that were opened
   * before a deploy. Default: 3.
   */
  readonly keepBuilds?: number
  /** Limits for server actions, and the origins that may call server actions. */
  readonly actions?: Partial<ActionSettings>
}

/**
 * Settings for compiling `.mdx` files.
 *
 * @see https://mdxjs.com/packages/mdx/#processoroptions
 */
export type MdxOptions = {
  readonly remarkPlugins?: readonly unknown[]
  readonly rehypePlugins?: readonly unknown[]
  readonly recmaPlugins?: readonly unknown[]
}

export type ResolvedOptions = ReturnType<typeof resolveOptions>

/** Parts of the Vite configuration that aren't options of `waymark()`. */
type ConfigurationAround = {
  readonly packages?: readonly ListedPackage[]
  /** Packages built on Waymark that the app imports. */
  readonly dependents?: readonly string[]
  readonly configFile?: string | undefined
}

const optionNames: Readonly<Record<keyof WaymarkOptions, true>> = {
  adapter: true,
  allowMissing: true,
  appDir: true,
  proxy: true,
  clientSetup: true,
  basePath: true,
  trailingSlash: true,
  assetPrefix: true,
  variants: true,
  mdx: true,
  theme: true,
  statusDeadlineMs: true,
  settleDeadlineMs: true,
  navigation: true,
  prefetch: true,
  cacheLife: true,
  security: true,
  keepBuilds: true,
  actions: true,
}

/**
 * Validates the options and fills in defaults.
 *
 * @param root absolute path of the project's root
 * @param packages packages that the configuration lists next to `waymark()`
 * @throws `FrameworkError` for the first invalid option
 */
export function resolveOptions(
  root: string,
  options: WaymarkOptions,
  { packages = [], dependents = [], configFile }: ConfigurationAround = {},
) {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(optionNames, name))
  if (unknown !== undefined) {
    const file = configFile ? path.relative(root, configFile) : 'vite.config.ts'
    if (unknown === 'patches') {
      throw frameworkError('PATCHES_OPTION', { file, lines: linesFor(packageHints.patches) })
    }
    const hints: Readonly<Record<string, PackageHint>> = packageHints.options
    const hint = hints[unknown]
    if (hint) {
      throw frameworkError('OPTION_IS_PACKAGE', { file, name: unknown, lines: linesFor(hint) })
    }
    throw frameworkError('UNKNOWN_OPTION', { file, name: unknown, names: Object.keys(optionNames) })
  }
  const { keepBuilds = 3, mdx = {}, security = {}, cacheLife = {} } = options
  const isNumber = Number.isInteger(keepBuilds) && keepBuilds > 0
  checkOption(isNumber, 'keepBuilds', keepBuilds, 'use a whole number, 1 or more')
  const paths = resolvePaths(options)
  return Object.freeze({
    root,
    /** `null` for Node. */
    adapter: checkAdapter(options.adapter),
    allowMissing: resolveMissing(options.allowMissing),
    appDir: normalizePath(path.resolve(root, options.appDir ?? 'app')),
    buildDir: path.join(root, buildLayout.folder),
    proxy: options.proxy ?? null,
    clientSetup: options.clientSetup ?? null,
    ...paths,
    trailingSlash: options.trailingSlash === true,
    /** `null` if the browser's code is built once. */
    variants: resolveVariants(options.variants, { packages, root }),
    mdx,
    theme: resolveThemeOptions(options.theme),
    statusDeadlineMs: resolveDeadline(options, 'statusDeadlineMs'),
    settleDeadlineMs: resolveDeadline(options, 'settleDeadlineMs'),
    cacheLife: Object.fromEntries(
      Object.entries(cacheLife).map(([name, life]) => [name, readLifetime(life)]),
    ),
    navigation: resolveNumbers('navigation', defaultNavigation, options.navigation),
    prefetch: resolveNumbers('prefetch', defaultPrefetch, options.prefetch),
    security: resolveSecurity(security, paths.assetOrigin),
    /** True if browsers check the build's files against their hashes. */
    hasIntegrity: hasIntegrity(security),
    /** `null` if every host is allowed. */
    allowedHosts: resolveAllowedHosts(security),
    keepBuilds,
    packages,
    dependents,
    actions: resolveActionSettings(options.actions),
    /** Names of server variables whose values are public. */
    publicEnv: security.publicEnv ?? [],
  })
}

function resolveMissing(features: readonly HostFeature[] = []): readonly HostFeature[] {
  const isList = Array.isArray(features) && features.every((each) => hostFeatures.includes(each))
  const rule = `use a list of ${hostFeatures.join(', ')}`
  checkOption(isList, 'allowMissing', JSON.stringify(features), rule)
  return features
}

// Matches a path that needs no percent-encoding and in which no segment is empty, `.` or `..`.
const pathPattern = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/

function resolvePaths({ basePath = '', assetPrefix = '' }: WaymarkOptions) {
  const isPath = (text: string) => text === '' || pathPattern.test(text)
  const rule = 'use a path of letters, digits, - . _ and ~ that begins with a slash'
  checkOption(
    isPath(basePath),
    'basePath',
    JSON.stringify(basePath),
    `${rule} and ends without one`,
  )
  const prefix = assetPrefix.replace(/\/$/, '')
  const isUrl = /^https?:\/\/[^/?#@\\]+(?:\/|$)/.test(prefix) && URL.canParse(prefix)
  const path = isUrl ? new URL(prefix).pathname.replace(/^\/$/, '') : prefix
  const place =
    "use a host's address, such as 'https://cdn.example.com', or a path, such as /static"
  checkOption(isPath(path), 'assetPrefix', JSON.stringify(assetPrefix), place)
  return {
    basePath,
    /** Prefix of the URLs of the build's files, with a slash at the end. */
    assetBase: `${prefix || basePath}/`,
    /** Origin of the assets. `null` for the app's own origin. */
    assetOrigin: isUrl ? new URL(prefix).origin : null,
  }
}

function resolveNumbers<Numbers extends Readonly<Record<string, number>>>(
  option: string,
  defaults: Numbers,
  options: Partial<Numbers> = {},
): Numbers {
  for (const [name, value] of Object.entries(options)) {
    const isOption = Object.hasOwn(defaults, name)
    // Timers in browsers accept no larger values.
    const isCount = Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31
    const names = `it doesn't exist. The options are ${Object.keys(defaults).join(', ')}`
    const rule = isOption ? 'use a whole number from 0 to 2 ** 31 - 1' : names
    checkOption(isOption && (value === undefined || isCount), `${option}.${name}`, value, rule)
  }
  const set = Object.entries(options).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(set) }
}

const defaultDeadlines = { statusDeadlineMs: 100, settleDeadlineMs: 30_000 }

function resolveDeadline(options: WaymarkOptions, option: keyof typeof defaultDeadlines): number {
  const { [option]: ms = defaultDeadlines[option] } = options
  // JSON, in which the value is passed on, can't represent infinity.
  const isValid = typeof ms === 'number' && Number.isFinite(ms) && ms >= 0
  checkOption(isValid, option, ms, 'use a number of milliseconds, 0 or more')
  return ms
}
