import { existsSync } from 'node:fs'
import path from 'node:path'
import type { CSSOptions } from 'vite'
import { configNotes, readActionSettings } from './configNotes.ts'
import { loadConfig } from './loadConfig.ts'
import type {
  ConfigRules,
  ImagesConfig,
  NextConfig,
  Redirect,
  Rewrite,
  Rewrites,
  SortedRewrites,
} from './nextConfig.ts'
import { checkDestination, compileRule, isMisread } from './rules.ts'
import { readWebpack, type WebpackFacts } from './webpackFunction.ts'
import { importMdxPlugins } from './webpackRules.ts'

/** The parts of an app's configuration that Waymark uses. */
export type AppConfig = {
  readonly rules: ConfigRules
  readonly basePath: string
  readonly assetPrefix: string
  readonly trailingSlash: boolean
  readonly env: Readonly<Record<string, string>>
  readonly transpilePackages: readonly string[]
  readonly serverExternalPackages: readonly string[]
  readonly css: CSSOptions
  readonly resolveAlias: Readonly<Record<string, string>>
  readonly webpack: WebpackFacts
  readonly images: ImagesConfig
  readonly actions: ReturnType<typeof readActionSettings>['actions']
  readonly cacheLife: Readonly<
    Record<string, { readonly revalidate?: number; readonly expire?: number }>
  >
}

const fileNames = ['ts', 'mjs', 'js', 'mts'].map((extension) => `next.config.${extension}`)

/**
 * Reads an app's `next.config.*`.
 * @param root of the project, absolute
 * @param warn called with a line for each key that isn't fully supported
 * @throws Error if the file can't be run, or if a key that can't be ignored is invalid
 */
export async function readConfig(
  root: string,
  warn: (line: string) => void = console.warn,
): Promise<AppConfig> {
  const name = fileNames.find((each) => existsSync(path.join(root, each)))
  const config = name === undefined ? {} : await loadConfig(path.join(root, name))
  const { actions, lines } = readActionSettings(config)
  const webpack = readWebpack(config, root)
  for (const line of [...configNotes(config, root), ...lines, ...webpack.notes])
    warn(`${name}: ${line}`)
  const rules = await readRules(config, name)
  const { basePath = '', assetPrefix = '' } = config
  const experimental = (config.experimental ?? {}) as Experiments
  warnOfMisread(rules, (line) => warn(`${name}: ${line}`))
  warnOfOutside({ rules, basePath }, (line) => warn(`${name}: ${line}`))
  return {
    rules,
    basePath,
    assetPrefix,
    trailingSlash: config.trailingSlash === true,
    env: definedOnly(config.env ?? {}),
    transpilePackages: config.transpilePackages ?? [],
    serverExternalPackages: [
      ...(config.serverExternalPackages ?? []),
      ...(experimental.serverComponentsExternalPackages ?? []),
    ],
    css: readSass(config),
    images: config.images ?? {},
    resolveAlias: { ...webpack.aliases, ...turbopackAliases(config, root) },
    webpack: { ...webpack, mdx: await importMdxPlugins(webpack.mdx, { root, file: `${name}` }) },
    actions,
    cacheLife: readLifetimes(config),
  }
}

/** Experimental options from versions before 15. */
type Experiments = { readonly serverComponentsExternalPackages?: readonly string[] }

/** Converts Sass options to Vite's options. */
function readSass({ sassOptions }: NextConfig): CSSOptions {
  if (sassOptions === undefined) return {}
  const { includePaths, prependData, additionalData = prependData, ...others } = sassOptions
  const options = {
    ...others,
    ...(includePaths ? { loadPaths: includePaths } : {}),
    ...(additionalData ? { additionalData } : {}),
  }
  return { preprocessorOptions: { scss: options, sass: options } } as CSSOptions
}

/** Reads lifetimes. Omits `stale`, because Waymark has no lifetime for a client cache. */
function readLifetimes({ cacheLife, experimental }: NextConfig): AppConfig['cacheLife'] {
  const lifetimes = { ...(experimental as NextConfig | undefined)?.cacheLife, ...cacheLife }
  const entries = Object.entries(lifetimes).map(([name, { revalidate, expire }]) => [
    name,
    { revalidate, expire },
  ])
  return Object.fromEntries(entries) as AppConfig['cacheLife']
}

function turbopackAliases({ turbopack }: NextConfig, root: string): Record<string, string> {
  const aliases: Record<string, string> = {}
  for (const [from, to] of Object.entries(turbopack?.resolveAlias ?? {})) {
    if (typeof to === 'string') aliases[from] = to.startsWith('.') ? path.resolve(root, to) : to
  }
  return aliases
}

async function readRules(config: NextConfig, name: string | undefined): Promise<ConfigRules> {
  const redirects = (await call(config, 'redirects', name)) ?? []
  const headers = (await call(config, 'headers', name)) ?? []
  const rewrites = sortRewrites((await call(config, 'rewrites', name)) ?? [])
  for (const rule of [redirects, headers, ...Object.values(rewrites)].flat()) {
    try {
      compileRule(rule)
      if ('destination' in rule) checkDestination(rule.destination)
      // Creating the header now makes an invalid one fail at startup instead of in each request.
      if ('headers' in rule) for (const { key, value } of rule.headers) new Headers([[key, value]])
    } catch (error) {
      throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      })
    }
  }
  const loop = findLoop(redirects)
  if (loop)
    throw new Error(
      `${name}: the redirects form a loop: ${loop.join(' leads to ')}. Remove one of them.`,
    )
  return { redirects, headers, rewrites }
}

/** Returns a warning that Waymark and Next match a value of `has` or `missing` differently. */
export function misreadNote(value: string): string {
  return `Waymark matches the condition's value ${JSON.stringify(value)} as ^(?:${value})$, but Next matches ^${value}$, which accepts more. Put the value in parentheses to get the same result in both.`
}

function warnOfMisread(
  { redirects, headers, rewrites }: ConfigRules,
  warn: (line: string) => void,
) {
  const all = [redirects, headers, ...Object.values(rewrites)].flat()
  const values = all.flatMap(({ has = [], missing = [] }) => [...has, ...missing])
  for (const { value } of values) if (value && isMisread(value)) warn(misreadNote(value))
}

/** Warns about rules outside `basePath`, where only redirects work. */
function warnOfOutside(
  { rules, basePath }: Pick<AppConfig, 'rules' | 'basePath'>,
  warn: (line: string) => void,
): void {
  const all = [rules.headers, ...Object.values(rules.rewrites)].flat()
  for (const { source, basePath: ruleBasePath } of all) {
    if (ruleBasePath !== false || basePath === '' || source.startsWith(basePath)) continue
    warn(
      `the rule for ${source} has basePath: false, but outside ${basePath}, only redirects work. Add the rule to your reverse proxy instead.`,
    )
  }
}

/**
 * Looks for a loop among the redirects that depend only on the path. @returns the paths of the
 * loop; `null` if there is no loop
 */
function findLoop(redirects: readonly Redirect[]): readonly string[] | null {
  const plain = redirects.filter(({ has = [], missing = [] }) => has.length + missing.length === 0)
  const rules = plain.map((rule) => ({ rule, match: compileRule(rule) }))
  const next = (path: string) => {
    const seen = { url: new URL(path, 'http://site.invalid'), headers: new Headers() }
    return rules.find(({ match }) => match(seen) !== null)?.rule.destination
  }
  for (const { destination } of plain.filter((rule) => isPath(rule.destination))) {
    const path = [destination]
    for (let at = next(destination); isPath(at); at = next(at)) {
      path.push(at)
      if (at === destination) return path
      if (path.length > redirects.length + 1) break
    }
  }
  return null
}

// The path of a destination with params depends on the request, so skip it.
const isPath = (destination: string | undefined): destination is string =>
  destination !== undefined && /^\/[^:]*$/.test(destination)

async function call<Name extends 'redirects' | 'headers' | 'rewrites'>(
  config: NextConfig,
  key: Name,
  name: string | undefined,
): Promise<Awaited<ReturnType<NonNullable<NextConfig[Name]>>> | undefined> {
  try {
    return (await config[key]?.()) as Awaited<ReturnType<NonNullable<NextConfig[Name]>>> | undefined
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`${name}: ${key}() failed: ${why}`, { cause: error })
  }
}

/** Sorts rewrites by phase. A plain list counts as `afterFiles`. */
function sortRewrites(rewrites: readonly Rewrite[] | Rewrites): SortedRewrites {
  const sorted: Rewrites = Array.isArray(rewrites)
    ? { afterFiles: rewrites }
    : (rewrites as Rewrites)
  const { beforeFiles = [], afterFiles = [], fallback = [] } = sorted
  return { beforeFiles, afterFiles, fallback }
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(env).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Record<string, string>
}
