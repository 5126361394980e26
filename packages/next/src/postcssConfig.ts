import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type CSSOptions, searchForWorkspaceRoot } from 'vite'
import { importedUrlsPlugin } from './importedUrlsPlugin.ts'
import { manifestOf, readManifest } from './installedPackages.ts'
import { importConfig } from './loadConfig.ts'
import { type ConfiguredPlugin, hasNamedPlugin, importPlugins } from './namedPlugins.ts'

type PostcssOptions = Exclude<NonNullable<CSSOptions['postcss']>, string>
type AcceptedPlugin = NonNullable<PostcssOptions['plugins']>[number]

const extensions = ['json', 'js', 'mjs', 'cjs', 'ts', 'mts', 'cts']

const fileNames = [
  '.postcssrc',
  ...extensions.flatMap((extension) => [`.postcssrc.${extension}`, `postcss.config.${extension}`]),
  'package.json',
]

/**
 * Reads a PostCSS configuration that Vite can't apply as it is: one whose plugins are a list with
 * names, as in `plugins: ['@tailwindcss/postcss']`, which Vite refuses, or one with a Tailwind that
 * forgets where URLs come from.
 * @param root of the project, absolute
 * @returns `null` if Vite can apply the configuration, or if the app has no configuration
 * @throws Error if the file or one of its plugins can't be loaded
 */
export async function readPostcss(root: string): Promise<PostcssOptions | null> {
  const file = findConfig(root)
  if (file === null) return null
  const mayForget = forgetsSources(path.dirname(file))
  const { plugins, ...options } = await loadPostcss(file, mayForget ? /\[|@tailwindcss/ : /\[/)
  // Templates turn plugins off with conditions, as in `isProduction && 'cssnano'`.
  const list = entriesOf(plugins).filter((each) => Boolean(each) && isOn(each))
  const isRefused = Array.isArray(plugins) && hasNamedPlugin(list)
  if (!isRefused && !mayForget) return null
  const configured = await importPlugins(list, {
    root: path.dirname(file),
    file: path.basename(file),
  })
  const created = configured.map(createPlugin)
  if (mayForget && created.some(isTailwind)) created.unshift(importedUrlsPlugin())
  else if (!isRefused) return null
  return { ...options, plugins: created }
}

const tailwind = '@tailwindcss/postcss'

/**
 * True if the app's Tailwind parses its own output without a source map. Imported style sheets then
 * lose the fonts and images that their relative URLs name.
 */
function forgetsSources(root: string): boolean {
  const { version = '' } = readManifest(manifestOf(tailwind, root))
  // First version that keeps sources.
  return version !== '' && version.localeCompare('4.3.4', 'en', { numeric: true }) < 0
}

function isTailwind(plugin: AcceptedPlugin): boolean {
  return 'postcssPlugin' in plugin && plugin.postcssPlugin === tailwind
}

/** Plugins are a list, or an object of names and options if Tailwind is one of the names. */
function entriesOf(plugins: unknown): unknown[] {
  if (Array.isArray(plugins)) return plugins
  const named = objectOf(plugins)
  return tailwind in named ? Object.entries(named) : []
}

/** Looks in the app's folder first and then in the folders above, as Vite does. */
function findConfig(root: string): string | null {
  const top = searchForWorkspaceRoot(root)
  for (let folder = root; ; folder = path.dirname(folder)) {
    const files = fileNames.map((name) => path.join(folder, name))
    const file = files.find((each) => existsSync(each) && isConfig(each))
    if (file !== undefined) return file
    if (folder === top || folder === path.dirname(folder)) return null
  }
}

/** True for a file that configures PostCSS. Most `package.json` files don't. */
function isConfig(file: string): boolean {
  return path.basename(file) !== 'package.json' || 'postcss' in parseObject(file)
}

/** @param needed matches the text of a JavaScript file that has to be read */
async function loadPostcss(
  file: string,
  needed: RegExp,
): Promise<Readonly<Record<string, unknown>>> {
  const name = path.basename(file)
  if (name === 'package.json') return objectOf(parseObject(file).postcss)
  if (/^\.postcssrc$|\.json$/.test(name)) return parseObject(file)
  // Vite runs the file, too, so don't run one that it can apply.
  if (!needed.test(readFileSync(file, 'utf8'))) return {}
  return objectOf(await importConfig(file))
}

/**
 * @returns an empty object for a file in a different format, such as YAML. Vite reads such a file
 */
function parseObject(file: string): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return {}
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** `['name', false]` turns a plugin off. */
function isOn(entry: unknown): boolean {
  return !Array.isArray(entry) || entry[1] !== false
}

function createPlugin({ plugin, options: [options] }: ConfiguredPlugin): AcceptedPlugin {
  // The cast is necessary because a configuration may contain anything. PostCSS checks plugins.
  if (typeof plugin !== 'function') return plugin as AcceptedPlugin
  return options === undefined || options === true ? plugin() : plugin(options)
}
