import path from 'node:path'
import { normalizePath } from 'vite'
import { buildLayout } from '../../builds/buildManifest.ts'
import { type GivenLifetime, readLifetime } from '../../cache/cacheLife.ts'
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
import { type Adapter, checkAdapter } from './hostAdapter.ts'
import {
  hasIntegrity,
  resolveAllowedHosts,
  resolveSecurity,
  type SecurityOptions,
} from './securityOptions.ts'

/** Options of the `waymark()` plugin. */
export type WaymarkOptions = {
  /**
   * The host to build the app for: `node()`, `staticSite()`, or an adapter from a package. Default
   * `node()`.
   */
  readonly adapter?: Adapter
  /** Folder of the routes, from the project's root; default `app`. */
  readonly appDir?: string
  /** Module that exports what proxy.ts does, in its place. Default: proxy.ts beside the routes. */
  readonly proxy?: string
  /**
   * Module that runs in browsers before anything else of the app. It exports `onNavigationStart`,
   * which is called with each navigation as it starts.
   */
  readonly clientSetup?: string
  /** Path that the app is mounted at, as `/docs`. Links, the router and redirects add it. */
  readonly basePath?: string
  /** If true, URLs end with a slash, except those of files (`a.txt`). Other URLs redirect. Default: `false`. */
  readonly trailingSlash?: boolean
  /**
   * Where browsers get scripts, styles and imported files from, in builds: a host or a path before
   * `/_waymark/assets/`, as `https://cdn.example.com`.
   */
  readonly assetPrefix?: string
  /** How `.mdx` files are compiled. */
  readonly mdx?: MdxOptions
  /** Light, dark and other themes: where they are stored, and what marks them. */
  readonly theme?: ThemeOptions
  /**
   * How long the head of a document waits for layouts, page and metadata, which decide its status;
   * default 100. Routes can override it with `export const statusDeadlineMs`.
   */
  readonly statusDeadlineMs?: number
  /**
   * How long a response waits for its final status if its reader uses no other: crawlers, link
   * previews, and pages that are requested again because their status came too late. Default 30 s.
   */
  readonly settleDeadlineMs?: number
  /** When a navigation times out, and how long pages that were left stay cached. */
  readonly navigation?: Partial<NavigationSettings>
  /** How much is prefetched. */
  readonly prefetch?: Partial<PrefetchLimits>
  /** Lifetimes for `cacheLife()`, by name, in seconds; they may replace built-in ones. */
  readonly cacheLife?: Readonly<Record<string, GivenLifetime>>
  /** Content-Security-Policy, headers of every response, and the app's own hosts. */
  readonly security?: SecurityOptions
  /**
   * How many builds keep their assets, the new one included, for pages that were opened before a
   * deploy; default 3.
   */
  readonly keepBuilds?: number
  /** Limits of server actions, and which origins may call them. */
  readonly actions?: Partial<ActionSettings>
}

/** How `.mdx` files are compiled. @see https://mdxjs.com/packages/mdx/#processoroptions */
export type MdxOptions = {
  readonly remarkPlugins?: readonly unknown[]
  readonly rehypePlugins?: readonly unknown[]
  readonly recmaPlugins?: readonly unknown[]
}

export type ResolvedOptions = ReturnType<typeof resolveOptions>

/** The part of a Vite configuration that stands around the options of `waymark()`. */
type ConfigurationAround = {
  readonly packages?: readonly ListedPackage[]
  /** Packages that build on Waymark and that the app imports. */
  readonly dependents?: readonly string[]
  readonly configFile?: string | undefined
}

const optionNames: Readonly<Record<keyof WaymarkOptions, true>> = {
  adapter: true,
  appDir: true,
  proxy: true,
  clientSetup: true,
  basePath: true,
  trailingSlash: true,
  assetPrefix: true,
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
 * Completes the options.
 * @param root the project's root, absolute
 * @param packages those that the configuration lists beside `waymark()`
 * @throws `FrameworkError` of the option that is wrong
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
  checkOption(isNumber, 'keepBuilds', keepBuilds, 'write 1 for the build alone, or more')
  const paths = resolvePaths(options)
  return Object.freeze({
    root,
    /** `null` for Node. */
    adapter: checkAdapter(options.adapter),
    appDir: normalizePath(path.resolve(root, options.appDir ?? 'app')),
    buildDir: path.join(root, buildLayout.folder),
    proxy: options.proxy ?? null,
    clientSetup: options.clientSetup ?? null,
    ...paths,
    trailingSlash: options.trailingSlash === true,
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
    /** If true, browsers check the build's files by their hashes. */
    hasIntegrity: hasIntegrity(security),
    /** `null` where every host is allowed. */
    allowedHosts: resolveAllowedHosts(security),
    keepBuilds,
    packages,
    dependents,
    actions: resolveActionSettings(options.actions),
    /** Names of the server's variables whose values are public. */
    publicEnv: security.publicEnv ?? [],
  })
}

// As an href of its own: nothing in it is encoded, and no segment is empty or dots alone.
const pathPattern = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/

function resolvePaths({ basePath = '', assetPrefix = '' }: WaymarkOptions) {
  const isPath = (text: string) => text === '' || pathPattern.test(text)
  const rule = 'write a path of letters, digits, - . _ and ~ that begins with a slash'
  checkOption(isPath(basePath), 'basePath', JSON.stringify(basePath), `${rule} and ends without`)
  const prefix = assetPrefix.replace(/\/$/, '')
  const isUrl = /^https?:\/\/[^/?#@\\]+(?:\/|$)/.test(prefix) && URL.canParse(prefix)
  const path = isUrl ? new URL(prefix).pathname.replace(/^\/$/, '') : prefix
  const place = "write the address of a host, 'https://cdn.example.com', or a path as /static"
  checkOption(isPath(path), 'assetPrefix', JSON.stringify(assetPrefix), place)
  return {
    basePath,
    /** Before the URLs of the build's files, with a slash at its end. */
    assetBase: `${prefix || basePath}/`,
    /** Origin of the assets; `null` for the app's own. */
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
    // The limit of timers in browsers.
    const isCount = Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31
    const names = `there is no such option, only ${Object.keys(defaults).join(', ')}`
    const rule = isOption ? 'write a whole number, 0 or more, and below 2 ** 31' : names
    checkOption(isOption && (value === undefined || isCount), `${option}.${name}`, value, rule)
  }
  const set = Object.entries(options).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(set) }
}

const defaultDeadlines = { statusDeadlineMs: 100, settleDeadlineMs: 30_000 }

function resolveDeadline(options: WaymarkOptions, option: keyof typeof defaultDeadlines): number {
  const { [option]: ms = defaultDeadlines[option] } = options
  // It is passed on as JSON, which has no infinity.
  const isValid = typeof ms === 'number' && Number.isFinite(ms) && ms >= 0
  checkOption(isValid, option, ms, 'write a number of milliseconds, 0 or more')
  return ms
}
