import path from 'node:path'
import type { NextConfig } from './nextConfig.ts'
import { pluginNote, readPlugin } from './webpackPluginList.ts'
import {
  type FileRule,
  fileRules,
  type MdxOptions,
  type StyleRule,
  type ValueRule,
  type WebpackRule,
} from './webpackRules.ts'

/** The settings of a `webpack` function that Vite can apply, and notes about all others. */
export type WebpackFacts = {
  readonly aliases: Readonly<Record<string, string>>
  /** Modules that are replaced with empty modules, separately for browsers and for the server. */
  readonly empty: { readonly client: readonly string[]; readonly server: readonly string[] }
  /** Packages that aren't bundled into the server. They may also be missing. */
  readonly external: readonly string[]
  /** Patterns of modules that are left out. */
  readonly ignored: readonly RegExp[]
  readonly define: Readonly<Record<string, string>>
  /** How files of a type are imported. */
  readonly files: readonly FileRule[]
  /** Loaders for style sheets. */
  readonly styles: readonly StyleRule[]
  /** Global variables that files set first. */
  readonly values: readonly ValueRule[]
  /** Plugins for the compiler of `.mdx` files. */
  readonly mdx: MdxOptions
  readonly notes: readonly string[]
}

type Facts = {
  aliases: Record<string, unknown>
  empty: { client: string[]; server: string[] }
  external: string[]
  ignored: RegExp[]
  define: Record<string, string>
  rules: WebpackRule[]
  notes: string[]
}

/**
 * Runs the configuration's `webpack` function with an object that looks like a webpack
 * configuration, once for the server and once for browsers, and reads what the function changes.
 * Also reads the file rules of `turbopack`.
 * @param root of the project, absolute
 */
export function readWebpack(config: NextConfig, root: string): WebpackFacts {
  const facts: Facts = {
    aliases: {},
    empty: { client: [], server: [] },
    external: [],
    ignored: [],
    define: {},
    rules: turbopackRules(config),
    notes: [],
  }
  if (typeof config.webpack === 'function') {
    for (const isServer of [true, false]) runWebpack(config.webpack, isServer, facts)
  }
  const { files, styles, values, mdx, notes } = fileRules(facts.rules)
  const aliases: Record<string, string> = {}
  for (const [from, to] of Object.entries(facts.aliases)) {
    if (typeof to === 'string' && to !== '')
      aliases[from.replace(/\$$/, '')] = to.startsWith('.') ? path.resolve(root, to) : to
  }
  const allNotes = [...new Set([...facts.notes, ...notes])]
  return { ...facts, aliases, files, styles, values, mdx, notes: allNotes }
}

type WebpackFunction = NonNullable<NextConfig['webpack']>

function runWebpack(run: WebpackFunction, isServer: boolean, facts: Facts): void {
  const initial = createConfig()
  const before = createConfig()
  let config = initial
  try {
    config = run(initial, createOptions(isServer)) ?? initial
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    facts.notes.push(
      `webpack: Vite builds the app, so the webpack function runs without webpack, and it failed: ${why}.`,
    )
  }
  // The `webpack` function may have made changes before it failed, so keep these.
  readResolve(config.resolve ?? {}, before.resolve, isServer, facts)
  readExternals([config.externals ?? []].flat(), facts)
  facts.rules.push(...(config.module?.rules ?? []).filter((rule: unknown) => !isDefaultRule(rule)))
  for (const plugin of [config.plugins ?? []].flat()) {
    const read = readPlugin(plugin)
    Object.assign(facts.define, read?.define)
    facts.ignored.push(...(read?.ignored ?? []))
    const note = read === null ? pluginNote(plugin) : null
    if (note) facts.notes.push(note)
  }
  if (config.entry !== initial.entry || initial.entry !== defaultEntry)
    facts.notes.push(
      'webpack: entry is ignored. Import code that must run first in instrumentation-client.ts.',
    )
  if (config.experiments?.asyncWebAssembly || config.experiments?.syncWebAssembly)
    facts.notes.push('webpack: import .wasm files with ?init, as Vite requires.')
}

function readResolve(
  { alias = {}, fallback = {}, modules, extensions }: ReturnType<typeof createConfig>['resolve'],
  before: ReturnType<typeof createConfig>['resolve'],
  isServer: boolean,
  facts: Facts,
): void {
  const empty = isServer ? facts.empty.server : facts.empty.client
  for (const [name, target] of Object.entries({ ...fallback, ...alias })) {
    if (target === false) empty.push(name.replace(/\$$/, ''))
  }
  // Fallbacks replace modules that Node has, so ignore them on the server.
  facts.aliases = { ...(isServer ? {} : fallback), ...alias, ...facts.aliases }
  if (String(modules) !== String(before.modules))
    facts.notes.push(
      'webpack: resolve.modules is ignored. Set "paths" in tsconfig.json or jsconfig.json.',
    )
  if (String(extensions) !== String(before.extensions))
    facts.notes.push(
      'webpack: resolve.extensions is ignored. Set resolve.extensions in vite.config.ts.',
    )
}

function readExternals(externals: readonly unknown[], facts: Facts): void {
  for (const each of externals) {
    if (typeof each === 'string') facts.external.push(each)
    else if (typeof each === 'object' && each !== null && !(each instanceof RegExp))
      facts.external.push(...Object.keys(each))
    else
      facts.notes.push(
        'webpack: functions and patterns in externals are ignored. List the packages in serverExternalPackages.',
      )
  }
}

/**
 * Reads the rules of `turbopack`, stable or experimental: `{ '*.svg': { loaders: ['@svgr/webpack']
 * } }`.
 */
function turbopackRules({ turbopack, experimental }: NextConfig): WebpackRule[] {
  const turbo = (experimental as { turbo?: { rules?: object } } | undefined)?.turbo
  const rules = { ...turbo?.rules, ...(turbopack?.rules as object | undefined) }
  const conditions = turbopack?.conditions as
    | Readonly<Record<string, { path?: unknown }>>
    | undefined
  return Object.entries(rules).flatMap(([glob, rule]): WebpackRule[] => {
    const all = (
      Array.isArray(rule) && rule.every((each) => typeof each === 'object' && 'loaders' in each)
        ? rule
        : [rule]
    ) as readonly unknown[]
    // Next 15 lets a rule have the name of a condition, such as `#next-mdx`, in place of a glob.
    const include = pathPattern(conditions?.[glob]?.path) ?? globPattern(glob)
    return all.map((each) => {
      if (Array.isArray(each)) return { test: include, use: each, as: glob }
      const {
        loaders,
        condition,
        as = glob,
      } = each as { loaders?: unknown; condition?: { path?: unknown }; as?: unknown }
      return { test: pathPattern(condition?.path) ?? include, include, use: loaders, as }
    })
  })
}

/** Converts the condition `path` of a rule of `turbopack`, which is a pattern or a glob. */
function pathPattern(path: unknown): RegExp | null {
  if (path instanceof RegExp) return path
  return typeof path === 'string' ? globPattern(path) : null
}

/** Converts a glob such as `*.svg` or `{*.md,*.mdx}` into a pattern for the end of a path. */
function globPattern(glob: string): RegExp {
  const parts = [...glob.replace(/^\*\*\//, '').matchAll(/\{([^{}]*)\}|\*\*?|[^{*]+|\{/g)]
  const pattern = parts.map(([part, alternatives]) => {
    if (alternatives !== undefined)
      return `(?:${alternatives
        .split(',')
        .map((each) => globPattern(each).source.slice(0, -1))
        .join('|')})`
    if (part.startsWith('*')) return part === '**' ? '.*' : '[^/]*'
    return part.replaceAll(/[.+^$()[\]{}|\\]/g, '\\$&')
  })
  return new RegExp(`${pattern.join('')}$`)
}

const defaultEntry = async () => ({})
const defaultRules = new WeakSet<object>()

function isDefaultRule(rule: unknown): boolean {
  return typeof rule === 'object' && rule !== null && defaultRules.has(rule)
}

/**
 * Creates the default rules that `webpack` functions search for: the rule for images, and the list
 * of style rules.
 */
function createRules(): WebpackRule[] {
  const rules = [
    { oneOf: [] },
    {
      test: /\.(?:png|jpg|jpeg|gif|webp|avif|ico|bmp|svg)$/i,
      resourceQuery: { not: [] },
      issuer: { not: [] },
      loader: 'next-image-loader',
    },
  ]
  for (const rule of rules) defaultRules.add(rule)
  return rules
}

// biome-ignore lint/suspicious/noExplicitAny: the function writes whatever it wants
function createConfig(): any {
  return {
    mode: 'production',
    target: 'web',
    devtool: false,
    context: process.cwd(),
    cache: false,
    entry: defaultEntry,
    externals: [],
    plugins: [],
    ignoreWarnings: [],
    experiments: {},
    module: { rules: createRules(), parser: {}, generator: {}, noParse: [] },
    resolve: {
      alias: {},
      fallback: {},
      plugins: [],
      modules: ['node_modules'],
      extensions: ['.js', '.mjs', '.tsx', '.ts', '.jsx', '.json', '.wasm'],
      extensionAlias: {},
      mainFields: [],
      conditionNames: [],
    },
    resolveLoader: { alias: {}, modules: [] },
    output: {},
    optimization: { splitChunks: { cacheGroups: {} }, minimizer: [] },
    watchOptions: {},
    snapshot: {},
    infrastructureLogging: {},
    performance: {},
    stats: {},
  }
}

function createOptions(isServer: boolean) {
  return {
    buildId: 'build',
    dev: process.env.NODE_ENV !== 'production',
    isServer,
    totalPages: 0,
    ...(isServer ? { nextRuntime: 'nodejs' } : {}),
    defaultLoaders: { babel: { loader: 'next-swc-loader' } },
    dir: process.cwd(),
    config: {},
    webpack: recorder('webpack'),
  }
}

/** Creates a fake of one of webpack's classes. Instances remember their constructor's arguments. */
function recorder(name: string): unknown {
  class Recorded {
    readonly made = name
    readonly constructorArgs: readonly unknown[]
    constructor(...constructorArgs: readonly unknown[]) {
      this.constructorArgs = constructorArgs
    }
  }
  return new Proxy(Recorded, {
    get: (target, key) =>
      typeof key === 'string' && !(key in target) ? recorder(key) : Reflect.get(target, key),
  })
}
