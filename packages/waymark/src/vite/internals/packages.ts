import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { EnvironmentOptions, Plugin, Rolldown, ViteDevServer } from 'vite'
import { unbundledPackages } from '../config/environments.ts'
import { frameworkFile } from '../config/frameworkFiles.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import {
  addClientPackages,
  bundleImports,
  entryPatterns,
  isClientFile,
  isClientModule,
  type SearchedApp,
} from './findPackages.ts'
import { createSideEffectCheck } from './optionalModules.ts'

/**
 * Environment options that make Vite bundle the packages that contain client components. Unbundled,
 * a single package could cause a thousand requests.
 */
const bundledPackages: EnvironmentOptions = {
  resolve: { noExternal: true },
  optimizeDeps: { noDiscovery: false },
}

const reactFiles = /[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]|waymark:helpers/
const reactEntry = /^react(?:-dom)?(?:_|$)/

// Modules that together use every helper that Rolldown writes into bundles.
const helperUses: Readonly<Record<string, string>> = {
  'waymark:helpers': `import common from 'waymark:helpers/common'
import * as all from 'waymark:helpers/module'
export * from 'waymark:helpers/common'
export { all, common }`,
  'waymark:helpers/common': `exports.module = require('waymark:helpers/module')
exports.load = (id) => require(id)`,
  'waymark:helpers/module': "export const name = 'helpers'",
}

/**
 * Makes the optimizer write the same React chunk whatever other packages it bundles. If a package
 * that is found later changed this chunk, an open page would run two copies of React.
 */
const sameReact: Rolldown.InputOptions & { readonly output: Rolldown.OutputOptions } = {
  // Put new code into a separate chunk. A browser may already have loaded the existing bundles, so
  // these must not get new exports.
  preserveEntrySignatures: 'strict',
  output: {
    codeSplitting: { groups: [{ name: 'react-shared', test: reactFiles }] },
    minifyInternalExports: false,
  },
  plugins: [
    {
      name: 'waymark:same-react',
      options(options) {
        const entries = Object.entries(options.input as Readonly<Record<string, string>>)
        const order = ([name]: [string, string]) => (reactEntry.test(name) ? ` ${name}` : name)
        entries.sort((a, b) => (order(a) < order(b) ? -1 : 1))
        return { ...options, input: Object.fromEntries(entries) }
      },
      resolveId: { filter: { id: /^waymark:helpers/ }, handler: (id) => id },
      load: { filter: { id: /^waymark:helpers/ }, handler: (id) => helperUses[id] },
      transform: {
        filter: { id: /[\\/]react-dom[\\/]index\.js$/ },
        handler: (code) => ({ code: `${code}\nrequire('waymark:helpers')`, map: null }),
      },
    },
  ],
}

/**
 * Returns options for bundling those packages for server components that only depend on React, such
 * as icon sets. Other packages stay unbundled, because their dependencies may be native modules.
 */
function bundledServerPackages(names: readonly string[], root: string): EnvironmentOptions {
  const exclude = names.filter((name) => !isPlainPackage(name, root))
  const plugins = [requiredReactDom, filesApart()]
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

const requiredFile = '\0waymark:required-file/'

/**
 * Gives bundled CommonJS packages the same `react-dom` module that `reactDomPlugin` gives to all
 * other modules. Node would load a `react-dom` whose `preload()` doesn't know the current render.
 */
const requiredReactDom: Rolldown.Plugin = {
  name: 'waymark:required-react-dom',
  resolveId: {
    order: 'pre',
    filter: { id: /^react-dom$/ },
    handler: (_source, importer, { kind }) =>
      importer && kind === 'require-call' ? requiredFile + frameworkFile('reactDom') : null,
  },
}

/**
 * Keeps client components out of a bundle, so that plugin-rsc can turn them into references. Also
 * keeps out modules that fail in server components but that a build may leave out. In a bundle, they
 * would fail the whole package.
 */
function filesApart(): Rolldown.Plugin {
  const hasNoSideEffects = createSideEffectCheck()
  const isApart = (file: string) => {
    if (!/\.[cm]?js$/.test(file)) return false
    const code = readFileSync(file, 'utf8')
    if (isClientModule(code)) return true
    return isForBrowsers.test(code) && isModule.test(code) && hasNoSideEffects(file)
  }
  return {
    name: 'waymark:files-apart',
    resolveId: {
      order: 'pre',
      async handler(source, importer, options) {
        if (!importer) return null
        const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
        if (!resolved || resolved.external || !path.isAbsolute(resolved.id)) return null
        if (!isApart(resolved.id)) return resolved
        if (options.kind === 'require-call') return requiredFile + resolved.id
        return { id: resolved.id, external: 'absolute' }
      },
    },
    load: {
      filter: { id: new RegExp(`^${requiredFile}`) },
      // Node would load a required file directly, instead of the module that Vite serves for it, so
      // wrap the file.
      handler: (id) =>
        `import * as all from ${JSON.stringify(id.slice(requiredFile.length))}
module.exports = Object.keys(all).join() === 'default' ? all.default : { __esModule: true, ...all }`,
    },
  }
}

/** Matches uses of what React lacks in server components but modules call while they load. */
const isForBrowsers = /\bcreateContext\b|\bextends\s+(?:[\w$]+\.)?(?:Pure)?Component\b/

const isModule = /^\s*export\b|[;}]\s*export\s*[{*]/m

// Vite's internal options for resolving an import to the file itself instead of to its bundle.
const toFile = { skipSelf: true, scan: true } as { readonly skipSelf: boolean }

// Matches names that look like packages but aren't. Vite would stop looking for packages at such a
// name.
const isMark = /^(?:server|client)-only$/

/**
 * Returns the file of a package's entry if the whole entry is a client component. Nothing has to be
 * bundled then.
 */
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

// Prefix of the ids of modules that plugin-rsc creates for client components in packages.
const packageProxy = '\0virtual:vite-rsc/client-in-server-package-proxy/'
// Matches the name of a proxy module in the references that server components receive.
const proxiedFile = /"\/@id\/__x00__virtual:vite-rsc\/client-in-server-package-proxy\/([^"]+)"/
function notBundled(options: ResolvedOptions): string[] {
  return [...unbundledPackages(options), '@vitejs/plugin-rsc', 'react', 'react-dom']
}

type Environments = ViteDevServer['environments']

/**
 * Bundles packages for the environment that renders HTML, and discovers the browser's packages
 * there.
 */
export function packagesPlugin(
  options: () => ResolvedOptions,
  searchedApp: () => SearchedApp,
): Plugin {
  let environments: Environments | undefined
  let isWarm = false
  return {
    name: 'waymark:packages',
    enforce: 'pre',
    apply: 'serve',
    config({ cacheDir }) {
      isWarm = existsSync(path.resolve(options().root, cacheDir ?? 'node_modules/.vite', 'deps'))
    },
    configEnvironment(name, { optimizeDeps }) {
      if (optimizeDeps && name !== 'rsc') optimizeDeps.entries = entryPatterns(searchedApp())
      if (name === 'client') return { optimizeDeps: { rolldownOptions: sameReact } }
      // plugin-rsc adds the packages that depend on React to `exclude`.
      const packages = optimizeDeps?.exclude ?? []
      if (optimizeDeps) optimizeDeps.exclude = notBundled(options())
      return name === 'ssr' ? bundledPackages : bundledServerPackages(packages, options().root)
    },
    async configureServer(server) {
      environments = server.environments
      await addClientPackages(server, searchedApp(), options().buildDir)
      const { ssr } = server.environments
      // If bundles from an earlier start exist, Vite doesn't search any files, so search the client
      // files here.
      const files = ssr && isWarm ? searchedApp().clientFiles : []
      server.httpServer?.once('listening', () => {
        const seen = new Set<string>()
        for (const file of files)
          void bundleImports(ssr, path.join(options().root, file), undefined, seen)
      })
    },
    transform: {
      order: 'post',
      filter: { code: proxiedFile },
      handler: (code) =>
        bundleClientFile(proxiedFile.exec(code)?.[1] ?? '', options(), environments),
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
        // Our own packages' code for the core isn't bundled, so a bundle would load them twice.
        if (!isProxied || !depsOptimizer || isNotBundled(source, options())) return null
        const bundle = depsOptimizer.registerMissingImport(source, source)
        return depsOptimizer.getOptimizedDepId(bundle)
      },
    },
  }
}

/**
 * Bundles a package's client component before a page is rendered with it. If the browser discovered
 * it later, it wouldn't share state with the code that the page has already loaded.
 */
async function bundleClientFile(
  encoded: string,
  options: ResolvedOptions,
  { client, ssr }: Partial<Environments> = {},
) {
  const file = decodeURIComponent(encoded)
  if (isNotBundled(file, options)) return
  const bundles = [client, ssr].map((each) =>
    each?.depsOptimizer?.registerMissingImport(file, file),
  )
  await Promise.all(bundles.map((bundle) => bundle?.processing))
}

function isNotBundled(file: string, options: ResolvedOptions): boolean {
  return notBundled(options).includes(packageNameOf(file))
}

function packageNameOf(file: string): string {
  const [, name = file] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file) ?? []
  return name
}
