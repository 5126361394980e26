import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { DevEnvironment } from 'vite'
import { announceLong } from './announce.ts'

/**
 * Has a module runner of the server load packages as builds do: their bundles by Node, where it can,
 * and what is CommonJS with all its names.
 * @param client the browser's environment, whose bundles a page waits for
 * @see docs/decisions/dev-packages.md
 */
export function fetchPackages(
  environment: DevEnvironment,
  client: DevEnvironment | undefined,
): void {
  const fetchModule = environment.fetchModule.bind(environment)
  environment.fetchModule = async (url, importer, options) => {
    const file = await findBundle(environment, url, client)
    if (file) return { externalize: file, type: 'module' }
    const fetched = await fetchModule(url, importer, options)
    if (!('externalize' in fetched) || fetched.type !== 'commonjs') return fetched
    const { externalize } = fetched
    const id = `\0waymark-commonjs/${externalize}`
    return { code: commonModule(externalize), file: null, id, url, invalidate: false }
  }
}

/**
 * A module, as Vite's runner evaluates it, for a CommonJS file that Node loads. Node itself finds
 * names by reading the file, which for `lodash` and its like gives none. They are read when they are
 * used, since some packages load a part of themselves then.
 */
function commonModule(url: string): string {
  return `const loaded = await import(${JSON.stringify(url)})
const common = loaded.default
const names = new Set(Object.keys(loaded))
for (const name in Object(common)) names.add(name)
for (const name of names) {
  __vite_ssr_exportName__(name, name === 'default' ? () => common : () => common?.[name])
}`
}

/** Waits for the bundle that a URL names. @returns its file, when Node can load it by itself */
async function findBundle(
  { depsOptimizer, config, name }: DevEnvironment,
  url: string,
  client: DevEnvironment | undefined,
): Promise<string | null> {
  if (!depsOptimizer?.isOptimizedDepUrl(url)) return null
  const [pathname = ''] = url.split('?', 1)
  const outside = /^\/@fs(?=\/)/
  const file = outside.test(pathname)
    ? pathname.replace(outside, '')
    : path.posix.join(config.root, pathname)
  const { optimized, discovered, chunks } = depsOptimizer.metadata
  const found = [optimized, discovered, chunks]
    .flatMap((each) => Object.values(each))
    .find((each) => each.file === file)
  if (!found) return null
  const names = Object.keys(discovered)
  // A page that is loaded while the browser's bundles change has some of before and some of after.
  const work = [found.processing, name === 'ssr' && allBundled(client?.depsOptimizer)]
  await announceLong(Promise.all(work), () => preparingText(names))
  // In the other environment, Node would resolve React without the condition `react-server`.
  if (name !== 'ssr' || !existsSync(file)) return null
  const text = readFileSync(file, 'utf8')
  return importsAny(text, config.optimizeDeps.exclude ?? [])
    ? null
    : pathToFileURL(nativeFile(file, text)).href
}

/** Waits for all bundles that are being made; what is found meanwhile is bundled with them. */
async function allBundled(optimizer: DevEnvironment['depsOptimizer']): Promise<void> {
  const pending = () =>
    Object.values(optimizer?.metadata.discovered ?? {}).filter(({ processing }) => processing)
  for (let found = pending(); found.length > 0; found = pending()) {
    await Promise.all(found.map(({ processing }) => processing))
  }
}

// For as long as the process runs, as Node's own cache of modules.
const nativeFolders = new Map<string, { folder: string; readonly texts: Map<string, string> }>()

/**
 * The file by which Node loads a bundle: bundles import each other without a version, so one that
 * has changed is loaded from a copy of their folder.
 */
function nativeFile(file: string, text: string): string {
  const source = path.dirname(file)
  const native = nativeFolders.get(source) ?? { folder: source, texts: new Map<string, string>() }
  nativeFolders.set(source, native)
  if ((native.texts.get(file) ?? text) !== text) {
    native.texts.clear()
    const copy = `${source}_${process.pid}_${Date.now()}`
    native.folder = copy
    process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
  }
  // The copy lacks what was bundled since.
  if (native.folder !== source && !native.texts.has(file)) {
    cpSync(source, native.folder, { recursive: true })
  }
  native.texts.set(file, text)
  return path.join(native.folder, path.basename(file))
}

/**
 * Whether a bundle imports the framework, or another package that is run as it is: Node would load
 * another copy than the dev server's. React it loads for both.
 */
function importsAny(text: string, excluded: readonly string[]): boolean {
  const names = excluded.filter((name) => !/^react(?:-dom)?$/.test(name))
  const imports = text.matchAll(/\b(?:from|import|require)\s*\(?\s*["']([^"'\n]+)["']/g)
  return [...imports].some(([, from = '']) =>
    names.some((name) => from === name || from.startsWith(`${name}/`)),
  )
}

const mostNames = 5

function preparingText(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(', ')
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : ''
  return `Preparing ${shown}${more} for development; the next start finds it ready.`
}
