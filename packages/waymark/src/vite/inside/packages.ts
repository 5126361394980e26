import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import {
  createIdResolver,
  type EnvironmentOptions,
  normalizePath,
  type Plugin,
  type Rolldown,
  type ViteDevServer,
} from 'vite'
import type { ResolvedOptions } from '../config/pluginOptions.ts'

/**
 * Bundles the packages that client components import before HTML is rendered with them, as builds
 * and Vite's browser environment do: a package may have a thousand files.
 * @see docs/decisions/dev-server.md
 */
const bundledPackages: EnvironmentOptions = {
  resolve: { noExternal: true },
  optimizeDeps: { noDiscovery: false },
}

// In one chunk: Rolldown would split React in another way for each package that uses a part of it.
const reactFiles = /[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]/
const oneReact: Rolldown.OutputOptions = {
  codeSplitting: { groups: [{ name: 'react-shared', test: reactFiles }] },
}

/**
 * Bundles packages for server components, too: those that build on React alone, as icons do. Packages
 * with dependencies, which may be native modules, stay as they are.
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

export function isClientText(text: string): boolean {
  return clientDirective.test(text)
}

function isClientFile(file: string): boolean {
  return /\.[cm]?js$/.test(file) && isClientText(readFileSync(file, 'utf8'))
}

/** The sources of an app that has no bundles of an earlier start. */
type SearchedApp = {
  /** Patterns of its client components, in which Vite looks for packages. */
  readonly clientFiles: string[]
  /** Packages that its other files may import. */
  readonly imported: Set<string>
}

/** Finds what has to be bundled in one run: a package that is found later reloads the page. */
async function searchApp(root: string): Promise<SearchedApp> {
  const clientFiles: string[] = []
  const imported = new Set<string>()
  const search = async (folder: string): Promise<void> => {
    const entries = await readdir(path.join(root, folder), { withFileTypes: true })
    await Promise.all(
      entries.map(async (entry) => {
        const file = path.posix.join(folder, entry.name)
        if (entry.isDirectory() && !/^(?:\.|node_modules$)/.test(entry.name)) return search(file)
        if (!entry.isFile() || !/\.(?:[cm]?[jt]sx?|mdx)$/.test(entry.name)) return
        const text = await readFile(path.join(root, file), 'utf8')
        if (isClientText(text)) clientFiles.push(file.replace(/[()[\]{}!*?@+|\\]/g, '\\$&'))
        else for (const [, from = ''] of text.matchAll(importedName)) imported.add(from)
      }),
    )
  }
  await search('')
  return { clientFiles: clientFiles.sort(), imported }
}

const importedName = /\bfrom\s*['"](@?[\w-][^'":]*)['"]/g

/**
 * Bundles the client components of packages that server components import with the first run: a
 * generated file imports them, where Vite looks for packages.
 */
async function addClientPackages(
  { config, environments }: ViteDevServer,
  { clientFiles, imported }: SearchedApp,
  buildDir: string,
): Promise<void> {
  const { rsc, client, ssr } = environments
  if (!rsc || !client || !ssr) return
  const resolve = createIdResolver(config)
  const isClient = async (name: string) => {
    const from = path.join(config.root, 'package.json')
    // The import itself reports what is not there; plugins may have it.
    const file = await resolve(rsc, name, from).catch(() => undefined)
    return file?.includes('/node_modules/') && isClientFile(file)
  }
  const names = [...imported].sort()
  const found = await Promise.all(names.map(isClient))
  const lines = names.filter((_, index) => found[index]).map((name) => `import '${name}'\n`)
  if (lines.length === 0) return
  const file = path.join(buildDir, 'clientPackages.js')
  await mkdir(buildDir, { recursive: true })
  await writeFile(file, lines.join(''))
  const entries = [...clientFiles, normalizePath(path.relative(config.root, file))]
  for (const { config } of [client, ssr]) config.optimizeDeps.entries = entries
}

const requiredClient = '\0waymark:required-client/'

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
        if (options.kind === 'require-call') return requiredClient + resolved.id
        return { id: resolved.id, external: 'absolute' }
      },
    },
    load: {
      filter: { id: new RegExp(`^${requiredClient}`) },
      // Node would load what is required, and not the references.
      handler: (id) =>
        `import * as all from ${JSON.stringify(id.slice(requiredClient.length))}
module.exports = Object.keys(all).join() === 'default' ? all.default : { __esModule: true, ...all }`,
    },
  }
}

// An option of Vite: resolves to the file itself, not to its bundle.
const toFile = { skipSelf: true, scan: true } as { readonly skipSelf: boolean }

// Vite's search for packages would end at these names, which are no packages.
const isMark = /^(?:server|client)-only$/

/** The file of a part of a package that is a client component as a whole: nothing to bundle. */
async function clientPart(
  context: Pick<Rolldown.PluginContext, 'resolve'>,
  source: string,
  importer: string,
): Promise<string | null> {
  if (!packagePart.test(source)) return null
  const part = await context.resolve(source, importer, toFile)
  return part && path.isAbsolute(part.id) && isClientFile(part.id) ? part.id : null
}

const packagePart = /^(?:@[\w.-]+\/)?\w[\w.-]*\/\w/

// plugin-rsc's module for a client component within a package.
const packageProxy = '\0virtual:vite-rsc/client-in-server-package-proxy/'
const ownPackages = ['waymark', '@vitejs/plugin-rsc', 'react', 'react-dom']

/**
 * Bundles packages for the environment that renders HTML, and finds the browser's packages there: found
 * by the browser, they would reload the page.
 */
export function packagesPlugin(options: () => ResolvedOptions): Plugin {
  let environments: ViteDevServer['environments'] | undefined
  let searched: SearchedApp | undefined
  const prepare = createPreparation(options, () => environments)
  return {
    name: 'waymark:packages',
    enforce: 'pre',
    apply: 'serve',
    async config({ cacheDir }) {
      const folder = path.resolve(options().root, cacheDir ?? 'node_modules/.vite', 'deps')
      searched = existsSync(folder) ? undefined : await searchApp(options().root)
    },
    configEnvironment(name, { optimizeDeps }) {
      if (optimizeDeps && searched && name !== 'rsc') optimizeDeps.entries = searched.clientFiles
      if (name === 'client') return { optimizeDeps: { rolldownOptions: { output: oneReact } } }
      // plugin-rsc excludes the packages that build on React.
      const packages = optimizeDeps?.exclude ?? []
      if (optimizeDeps) optimizeDeps.exclude = [...ownPackages]
      return name === 'ssr'
        ? bundledPackages
        : bundledServerPackages(packages, options().root, prepare)
    },
    async configureServer(server) {
      environments = server.environments
      if (searched) await addClientPackages(server, searched, options().buildDir)
    },
    resolveId: {
      order: 'pre',
      filter: { id: /^[\w@/]/ },
      async handler(source, importer, request) {
        const { name, mode } = this.environment
        if (isMark.test(source)) return 'scan' in request && request.scan ? `\0${source}` : null
        if (mode !== 'dev' || !importer) return null
        if (name === 'rsc') return clientPart(this, source, importer)
        const isProxied = importer.startsWith(packageProxy)
        if (source.startsWith('/') && !isProxied) return null
        if (name === 'ssr') {
          await environments?.client?.pluginContainer.resolveId(source, importer)
        }
        const { depsOptimizer } = this.environment
        if (!isProxied || !depsOptimizer) return null
        // In one run with the package: else there would be two copies of it.
        const bundle = depsOptimizer.registerMissingImport(source, source)
        return depsOptimizer.getOptimizedDepId(bundle)
      },
    },
  }
}

/**
 * Bundles a client component of a package in one run with the whole package, since bundles of several
 * runs have a copy each of what they share.
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
