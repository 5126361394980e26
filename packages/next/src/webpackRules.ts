import type { WaymarkOptions } from 'waymark/vite'
import { hasNamedPlugin, importPlugins } from './namedPlugins.ts'

/** Options for the compiler of `.mdx` files. */
export type MdxOptions = NonNullable<WaymarkOptions['mdx']>

/** The parts of a webpack rule that we read. */
export type WebpackRule = {
  readonly test?: unknown
  readonly include?: unknown
  readonly exclude?: unknown
  readonly resourceQuery?: unknown
  readonly type?: unknown
  readonly use?: unknown
  readonly loader?: unknown
  readonly loaders?: unknown
  readonly options?: unknown
  readonly oneOf?: unknown
  readonly rules?: unknown
  /** Only in Turbopack's rules: a pattern for the file that the loaders return, such as `*.css`. */
  readonly as?: unknown
}

/**
 * How files that match a rule are imported. `unknown` means that Waymark has no counterpart for the
 * loader.
 */
export type FileRule = {
  /** @param query with its question mark, or empty */
  matches(file: string, query: string): boolean
  readonly import:
    | { readonly as: 'component'; readonly options: Readonly<Record<string, unknown>> }
    | { readonly as: 'image' | 'text' | 'url' }
    | { readonly as: 'unknown'; readonly loader: string; readonly way: string }
}

/** Loaders that turn style sheets into plain CSS, which Vite then compiles. */
export type StyleRule = {
  matches(file: string, query: string): boolean
  readonly loaders: readonly {
    /** Name or path of the loader, as the configuration has it. */
    readonly request: string
    readonly options: Readonly<Record<string, unknown>>
  }[]
}

/** Values that a loader adds to the start of a file, by the names of global variables. */
export type ValueRule = {
  matches(file: string, query: string): boolean
  readonly values: Readonly<Record<string, unknown>>
}

/** Advice on how to replace webpack loaders, keyed by the start of the loader's name. */
const ways: Readonly<Record<string, string>> = {
  'yaml-loader': 'install @modyfi/vite-plugin-yaml, and add it to vite.config',
  'js-yaml-loader': 'install @modyfi/vite-plugin-yaml, and add it to vite.config',
  'graphql-tag/loader': 'install vite-plugin-graphql-loader, and add it to vite.config',
  'csv-loader': 'import the file with ?raw, and parse the text',
  'frontmatter-markdown-loader': 'import the file with ?raw, and parse the text',
  'worker-loader': 'import the file with ?worker',
  'node-loader': 'list the package in serverExternalPackages',
}
const anyWay = 'look for a Vite plugin that does the same, and add it to vite.config'

/** Examples of files that Vite compiles, with or without a loader. */
const codeFiles = ['a.js', 'a.jsx', 'a.mjs', 'a.ts', 'a.tsx']
const styleFiles = ['a.css', 'a.module.css', 'a.scss', 'a.sass', 'a.less']
const cssFiles = ['a.css', 'a.module.css']
const mdxFiles = ['a.mdx', 'a.md']

/**
 * Reads rules. @returns how files are imported, the options of MDX, and notes about unsupported
 * rules
 */
export function fileRules(rules: readonly WebpackRule[]): {
  readonly files: readonly FileRule[]
  readonly styles: readonly StyleRule[]
  readonly values: readonly ValueRule[]
  readonly mdx: MdxOptions
  readonly notes: readonly string[]
} {
  const files: FileRule[] = []
  const styles: StyleRule[] = []
  const values: ValueRule[] = []
  let mdx: MdxOptions = {}
  const notes: string[] = []
  for (const rule of rules.flatMap(flatten)) {
    const loaders = loadersOf(rule)
    const [first = null] = loaders.map(({ name }) => name)
    const meant = (names: readonly string[]) =>
      names.some((name) => isMeant(rule.test, name) && rule.test !== undefined)
    if (first === null && rule.type === undefined) continue
    const injection = loaders.find(({ name }) => valueLoader.test(name))
    if (injection) {
      values.push({ matches: matcherOf(rule), values: valuesOf(injection) })
      continue
    }
    const compiler = meant(mdxFiles) ? loaders.find(({ name }) => /\bmdx\b/.test(name)) : undefined
    if (compiler) {
      mdx = mdxOptions(compiler.options)
      continue
    }
    if (meant(cssFiles) && /\.css$/.test(String(rule.as))) {
      const needed = loaders.filter(({ name }) => !doneByVite.test(name))
      if (needed.length > 0) styles.push({ matches: matcherOf(rule), loaders: needed })
      continue
    }
    if (meant(codeFiles) || meant(styleFiles) || rule.test === undefined) {
      if (first !== null && !doneByVite.test(first))
        notes.push(`webpack: the loader ${first} has no effect. Instead, ${ways[first] ?? anyWay}.`)
      continue
    }
    const fileImport = importOf(rule, loaders)
    if (fileImport.as === 'unknown')
      notes.push(
        `webpack: files that match ${String(rule.test)} need the loader ${fileImport.loader}, which Waymark can't run. Instead, ${fileImport.way}.`,
      )
    files.push({ matches: matcherOf(rule), import: fileImport })
  }
  return { files, styles, values, mdx, notes }
}

/** Sentry's loader, which passes settings of its configuration to the app's instrumentation files. */
const valueLoader = /^@sentry\/nextjs\/.*\bvalueInjectionLoader\b/

function valuesOf({ options }: Loader): ValueRule['values'] {
  const { values } = options
  return typeof values === 'object' && values !== null ? { ...values } : {}
}

const doneByVite = /swc-loader|babel-loader|sass-loader|less-loader|css-loader|style-loader/

const mdxLists = ['remarkPlugins', 'rehypePlugins', 'recmaPlugins'] as const

function mdxOptions(options: Readonly<Record<string, unknown>>): MdxOptions {
  const lists = mdxLists.map((key) => {
    const plugins = options[key]
    // The Rust compiler of @next/mdx takes no plugins, but has this option for tables and others.
    const added = key === 'remarkPlugins' && options.mdxType === 'gfm' ? ['remark-gfm'] : []
    return [key, [...(Array.isArray(plugins) ? plugins : []), ...added]] as const
  })
  return Object.fromEntries(lists.filter(([, plugins]) => plugins.length > 0))
}

/**
 * Imports the MDX plugins that a configuration names by strings. Turbopack's configurations do,
 * because they can't contain functions.
 * @throws Error if a plugin can't be imported
 */
export async function importMdxPlugins(
  mdx: MdxOptions,
  context: { readonly root: string; readonly file: string },
): Promise<MdxOptions> {
  const lists = mdxLists.map(async (key) => {
    const plugins = mdx[key] ?? []
    if (!hasNamedPlugin(plugins)) return [key, plugins] as const
    const imported = await importPlugins(plugins, context)
    return [key, imported.map(({ plugin, options }) => [plugin, ...options])] as const
  })
  return Object.fromEntries((await Promise.all(lists)).filter(([, plugins]) => plugins.length > 0))
}

function flatten(rule: WebpackRule): WebpackRule[] {
  if (typeof rule !== 'object' || rule === null) return []
  const inner = [rule.oneOf, rule.rules].flat().filter(Boolean) as WebpackRule[]
  if (inner.length === 0) return [rule]
  const { oneOf: _, rules: __, ...outer } = rule
  return inner.flatMap((each) => flatten({ ...outer, ...each }))
}

type Loader = StyleRule['loaders'][number] & {
  /** Name within the loader's package, such as `@svgr/webpack`. */
  readonly name: string
}

function loadersOf({ use, loader, loaders, options }: WebpackRule): Loader[] {
  const ruleLoader = loader === undefined ? [] : [{ loader, options }]
  return [use ?? [], loaders ?? [], ruleLoader].flat().flatMap((each) => {
    const entry = typeof each === 'string' ? { loader: each } : each
    const { loader: path, options: set } = (entry ?? {}) as { loader?: unknown; options?: unknown }
    // A resolved path contains the package's folder, so take the loader's name from there.
    if (typeof path !== 'string') return []
    const name = path.replace(/^.*\/node_modules\//, '')
    return [{ request: path, name, options: (set ?? {}) as Loader['options'] }]
  })
}

function importOf({ type }: WebpackRule, loaders: readonly Loader[]): FileRule['import'] {
  const find = (pattern: RegExp) => loaders.find(({ name }) => pattern.test(name))
  const svgr = find(/@svgr\/webpack/)
  if (svgr) return { as: 'component', options: svgr.options }
  if (type === 'asset/source' || find(/^(?:raw|text|glslify|ts-shader|webpack-glsl)-loader/))
    return { as: 'text' }
  if (find(/^next-image-loader/)) return { as: 'image' }
  if (/^asset(?:\/resource|\/inline)?$/.test(String(type)) || find(/^(?:file|url)-loader/))
    return { as: 'url' }
  const loader = loaders[0]?.name ?? String(type)
  const [loaderName] = Object.keys(ways).filter((name) => loader.startsWith(name))
  return { as: 'unknown', loader, way: ways[loaderName ?? ''] ?? anyWay }
}

function matcherOf({ test, include, exclude, resourceQuery }: WebpackRule): FileRule['matches'] {
  return (file, query) =>
    isMeant(test, file) &&
    isMeant(include, file) &&
    (exclude === undefined || !isMeant(exclude, file)) &&
    (resourceQuery === undefined ? !reservedQuery.test(query) : isMeant(resourceQuery, query))
}

/** Queries that Vite and Waymark use themselves. */
const reservedQuery = /[?&](?:url|raw|inline|image|worker)\b/

/** True if a webpack condition matches a string. */
function isMeant(condition: unknown, text: string): boolean {
  if (condition === undefined) return true
  if (condition instanceof RegExp) return condition.test(text)
  if (typeof condition === 'string') return text.startsWith(condition)
  if (typeof condition === 'function') return condition(text) === true
  if (Array.isArray(condition)) return condition.some((each) => isMeant(each, text))
  const { not, and, or } = condition as { not?: unknown; and?: unknown[]; or?: unknown[] }
  return (
    (not === undefined || ![not].flat().some((each) => isMeant(each, text))) &&
    (and ?? []).every((each) => isMeant(each, text)) &&
    (or === undefined || or.some((each) => isMeant(each, text)))
  )
}
