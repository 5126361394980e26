import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import {
  type EnvironmentOptions,
  isRunnableDevEnvironment,
  type Plugin,
  type Rolldown,
  type ViteDevServer,
} from 'vite'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import { fetchPackages } from './fetchPackages.ts'

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
          fetchPackages(environment, environments.client)
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
