import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type DevEnvironment,
  type EnvironmentOptions,
  isRunnableDevEnvironment,
  type Plugin,
  type Rolldown,
  type ViteDevServer,
} from 'vite'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import { announceLong } from './announce.ts'

/**
 * Bundles the packages that client components import before HTML is rendered with them, as builds
 * and Vite's browser environment do: a package of a thousand files costs no more than its bundle,
 * and CommonJS can be imported by names.
 * @see docs/decisions/dev-packages.md
 */
const bundledPackages: EnvironmentOptions = {
  resolve: { noExternal: true },
  optimizeDeps: { noDiscovery: false },
}

// Split anew with each package that uses another part of it, it would be there twice until a reload.
const reactFiles = /[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]/
const oneReact: Rolldown.OutputOptions = {
  codeSplitting: { groups: [{ name: 'react-shared', test: reactFiles }] },
}

/**
 * Bundles packages for server components, too: those that build on React alone, as icons do. What
 * has dependencies, which may be native modules, stays as it is, and what is a client component as
 * a whole.
 * @param names packages that build on React
 * @param onClientFile is called with each client component that a bundle leaves out
 */
function bundledServerPackages(
  names: readonly string[],
  root: string,
  onClientFile: (file: string) => Promise<void>,
): EnvironmentOptions {
  const exclude = names.filter((name) => !isPlainPackage(name, root))
  const plugins = [clientFilesApart(onClientFile)]
  return { optimizeDeps: { noDiscovery: false, exclude, rolldownOptions: { plugins } } }
}

function isPlainPackage(name: string, root: string): boolean {
  try {
    const require = createRequire(path.join(root, 'package.json'))
    const entry = require.resolve(name)
    const folder = entry.slice(0, entry.lastIndexOf(`/node_modules/${name}/`))
    const manifest = path.join(folder, 'node_modules', name, 'package.json')
    const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8'))
    return Object.keys(dependencies).length === 0 && !isClientFile(entry)
  } catch {
    return false
  }
}

// Each alternative begins and ends in one way only: else a file of many comments takes for ever.
const clientDirective =
  /^(?:\s|\/\/[^\n]*\n|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|['"]use strict['"];?)*['"]use client['"]/

/** Whether a module begins with `'use client'`. */
export function isClientText(text: string): boolean {
  return clientDirective.test(text)
}

function isClientFile(file: string): boolean {
  return /\.[cm]?js$/.test(file) && isClientText(readFileSync(file, 'utf8'))
}

/**
 * Finds the app's client components, as patterns: packages are looked for in what they import, and
 * bundled in one run. What is found later means bundles with other names, and the page is reloaded.
 */
async function findClientFiles(root: string): Promise<string[]> {
  const found: string[] = []
  const search = async (folder: string): Promise<void> => {
    const entries = await readdir(path.join(root, folder), { withFileTypes: true })
    await Promise.all(
      entries.map(async (entry) => {
        const file = path.posix.join(folder, entry.name)
        if (entry.isDirectory() && !/^(?:\.|node_modules$)/.test(entry.name)) return search(file)
        if (!entry.isFile() || !/\.[cm]?[jt]sx?$/.test(entry.name)) return
        const text = await readFile(path.join(root, file), 'utf8')
        if (isClientText(text)) found.push(file.replace(/[()[\]{}!*?@+|\\]/g, '\\$&'))
      }),
    )
  }
  await search('')
  return found.sort()
}

/** Leaves client components outside of a bundle, where plugin-rsc makes references of them. */
function clientFilesApart(onClientFile: (file: string) => Promise<void>): Rolldown.Plugin {
  return {
    name: 'waymark:client-files-apart',
    resolveId: {
      order: 'pre',
      async handler(source, importer, options) {
        if (!importer) return null
        const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
        if (!resolved || resolved.external || !path.isAbsolute(resolved.id)) return null
        if (!isClientFile(resolved.id)) return resolved
        await onClientFile(resolved.id)
        return { id: resolved.id, external: 'absolute' }
      },
    },
    load(id) {
      // An entry by itself: `package/part`.
      if (!this.getModuleInfo(id)?.isEntry || !isClientFile(id)) return null
      const file = JSON.stringify(id)
      return `export * from ${file}\nimport * as all from ${file}\nexport default all.default\n`
    },
  }
}

// plugin-rsc's module for a client component within a package.
const packageProxy = '\0virtual:vite-rsc/client-in-server-package-proxy/'
const inconsistent = 'client component dependency is inconsistently optimized'

/**
 * Lets Node load the bundles in the environment that renders HTML, and finds the browser's packages
 * there: discovered by the browser, they would reload the page.
 */
export function packagesPlugin(options: () => ResolvedOptions): Plugin {
  let environments: ViteDevServer['environments'] | undefined
  let scanned: string[] | undefined
  const prepare = createPreparation(options, () => environments)
  return {
    name: 'waymark:packages',
    enforce: 'pre',
    apply: 'serve',
    async config({ cacheDir }) {
      // Known from the last start.
      const folder = path.resolve(options().root, cacheDir ?? 'node_modules/.vite', 'deps')
      scanned = existsSync(folder) ? undefined : await findClientFiles(options().root)
    },
    configEnvironment(name, { optimizeDeps }) {
      if (optimizeDeps && scanned && name !== 'rsc') optimizeDeps.entries = scanned
      if (name === 'client') return { optimizeDeps: { rolldownOptions: { output: oneReact } } }
      // plugin-rsc excludes the packages that build on React.
      const packages = optimizeDeps?.exclude ?? []
      if (optimizeDeps) {
        optimizeDeps.exclude = ['waymark', '@vitejs/plugin-rsc', 'react', 'react-dom']
      }
      return name === 'ssr'
        ? bundledPackages
        : bundledServerPackages(packages, options().root, prepare)
    },
    configResolved({ logger }) {
      // True of plugin-rsc alone: see `resolveId`.
      const { warn } = logger
      logger.warn = (message, options) => {
        if (!message.includes(inconsistent)) warn(message, options)
      }
    },
    configureServer(server) {
      environments = server.environments
      for (const environment of [environments.rsc, environments.ssr]) {
        if (environment && isRunnableDevEnvironment(environment)) {
          fetchBundles(environment, environments.client)
        }
      }
    },
    resolveId: {
      order: 'pre',
      filter: { id: /^[\w@/]/ },
      async handler(source, importer) {
        const { name, mode } = this.environment
        if (mode !== 'dev' || !importer || name === 'rsc') return null
        const isProxied = importer.startsWith(packageProxy)
        if (source.startsWith('/') && !isProxied) return null
        if (name === 'ssr') {
          await environments?.client?.pluginContainer.resolveId(source, importer)
        }
        const { depsOptimizer } = this.environment
        if (!isProxied || !depsOptimizer) return null
        // Bundled together with the package, of which there would be two copies.
        const bundle = depsOptimizer.registerMissingImport(source, source)
        return depsOptimizer.getOptimizedDepId(bundle)
      },
    },
  }
}

/**
 * Has a client component of a package bundled at once with the whole package: of bundles that are
 * made one after the other, each would have a copy of what they share.
 */
function createPreparation(
  options: () => ResolvedOptions,
  environments: () => ViteDevServer['environments'] | undefined,
): (file: string) => Promise<void> {
  const prepared = new Set<string>()
  return async (file) => {
    if (prepared.has(file)) return
    prepared.add(file)
    const importer = path.join(options().root, 'package.json')
    for (const name of ['client', 'ssr']) {
      const environment = environments()?.[name]
      await environment?.pluginContainer.resolveId(packageNameOf(file), importer)
      environment?.depsOptimizer?.registerMissingImport(file, file)
    }
  }
}

function packageNameOf(file: string): string {
  const [, name = file] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file) ?? []
  return name
}

function fetchBundles(environment: DevEnvironment, client: DevEnvironment | undefined): void {
  const fetchModule = environment.fetchModule.bind(environment)
  environment.fetchModule = async (url, importer, options) => {
    const file = await findBundle(environment, url, client)
    return file ? { externalize: file, type: 'module' } : fetchModule(url, importer, options)
  }
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
