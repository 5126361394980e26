import path from 'node:path'
import { type EnvironmentOptions, normalizePath, type Plugin, type Rolldown } from 'vite'
import { frameworkError } from '../../shared/errors.ts'
import { assetsPrefix } from '../../wire/protocol.ts'
import { hasClientHooks } from './definePackage.ts'
import {
  frameworkFile,
  frameworkFilePattern,
  frameworkFiles,
  loaderId,
  reactServerDom,
} from './frameworkFiles.ts'
import type { ResolvedOptions } from './pluginOptions.ts'

export const entries = {
  rsc: frameworkFile('rscEntry'),
  ssr: frameworkFile('ssrEntry'),
  client: frameworkFile('clientEntry'),
}

/** Prefixes of the variables in `.env` files that reach the browser. */
export const publicEnvPrefixes = ['VITE_', 'PUBLIC_']

const assetsDir = assetsPrefix.slice(1, -1)

const browsersWithLightDark = ['chrome123', 'edge123', 'firefox120', 'safari17.5']

export function environmentsPlugin(options: () => ResolvedOptions): Plugin {
  return {
    name: 'waymark:environments',
    config(config, { command }) {
      const { root, basePath, buildDir, assetBase, trailingSlash } = options()
      const unbundled = unbundledPackages(options())
      const build = (environment: string) => ({
        outDir: path.join(buildDir, environment),
        assetsDir,
        // Vite would compress each chunk just to report its size, which takes longer than writing
        // the chunk.
        reportCompressedSize: false,
      })
      // Apply `ssr.external` to both server environments. Vite itself only applies it to the `ssr`
      // environment.
      const external = Array.isArray(config.ssr?.external) ? config.ssr.external : []
      const server = { command, external, unbundled }
      if (config.base !== undefined && config.base !== '/') {
        throw frameworkError('BASE_OPTION', { value: `'${config.base}'` })
      }
      return {
        base: command === 'build' ? assetBase : `${basePath}/`,
        define: {
          'import.meta.env.WAYMARK_IS_BUILD': JSON.stringify(command === 'build'),
          'import.meta.env.WAYMARK_BASE_PATH': JSON.stringify(basePath),
          'import.meta.env.WAYMARK_TRAILING_SLASH': JSON.stringify(trailingSlash),
          // Only in the dev server, because a build must not contain paths of the machine.
          ...(command === 'serve' && {
            'import.meta.env.WAYMARK_ROOT': JSON.stringify(normalizePath(root)),
          }),
        },
        envPrefix: config.envPrefix ?? publicEnvPrefixes,
        // If `light-dark()` were compiled for older browsers, it would no longer follow the theme's
        // script. Vite's minifier only reads this option at the top level.
        build: { cssTarget: config.build?.cssTarget ?? browsersWithLightDark },
        // A linked package must use the app's React, too.
        resolve: { dedupe: react, tsconfigPaths: true },
        builder: { sharedPlugins: true, sharedConfigBuild: true },
        environments: {
          // `keepSourceMaps` in earlierBuilds.ts moves the source maps for browsers out of the
          // served folder.
          client: {
            build: {
              ...build('client'),
              sourcemap: 'hidden',
              rolldownOptions: { output: { codeSplitting: clientChunks(options()) } },
            },
            optimizeDeps: { exclude: unbundled },
          },
          rsc: serverEnvironment(server, build('rsc')),
          // Client components must see the same environment variables here as in a browser.
          ssr: withoutEnv(serverEnvironment(server, build('ssr'))),
        },
      }
    },
    configEnvironment(name, { optimizeDeps }, { command }) {
      if (optimizeDeps) optimizeDeps.include = bundledInDev(name, optimizeDeps.include ?? [])
      if (command !== 'serve' || name === 'client') return null
      return loadedByNode(name === 'ssr' ? [...react, loaderId] : [loaderId, ...coreDependencies])
    },
  }
}

const react = ['react', 'react-dom']

/**
 * Lists the framework, and packages built on it that the app lists or imports. The dev server
 * doesn't bundle these. A bundle would be a second copy of their modules, with its own request
 * scope.
 */
export function unbundledPackages({ packages, dependents }: ResolvedOptions): string[] {
  return ['waymark', ...packages.map(({ name }) => name), ...dependents]
}

/**
 * Dependencies of the core on the server. Node loads them, because bundling them would delay the
 * first page.
 */
const coreDependencies = ['path-to-regexp']

/**
 * Makes Node load packages that would otherwise be bundled. In development, Node also loads React
 * for server components and for rendering HTML. See nodeReact.ts.
 */
function loadedByNode(external: string[]): EnvironmentOptions {
  return { resolve: { external }, optimizeDeps: { exclude: [...react, ...coreDependencies] } }
}

/**
 * Removes packages that plugin-rsc lists but the app may not have, and, on the server, React, which
 * Node loads.
 */
function bundledInDev(environment: string, include: readonly string[]): string[] {
  const isServer = environment !== 'client'
  const isUsed = (id: string) =>
    !id.startsWith(reactServerDom) && !(isServer && react.includes(id.replace(/\/.*/, '')))
  return [
    ...include.filter(isUsed),
    ...(isServer ? [] : [`waymark > ${reactServerDom}/client.browser`]),
  ]
}

type ServerEnvironmentOptions = {
  readonly command: 'build' | 'serve'
  readonly external: string[]
  readonly unbundled: string[]
}

function serverEnvironment(
  { command, external, unbundled }: ServerEnvironmentOptions,
  build: EnvironmentOptions['build'] & object,
): EnvironmentOptions {
  const optimizeDeps = { exclude: unbundled }
  if (command === 'serve') {
    const dev = { preTransformRequests: true }
    return { build, dev, optimizeDeps, resolve: { external, noExternal: unbundled } }
  }
  // Set the extension: Vite would derive it from the app's package.json, but this folder has its
  // own.
  const output = { entryFileNames: '[name].js', chunkFileNames: `${assetsDir}/[name]-[hash].js` }
  // Comments with modules' paths would differ between machines.
  const experimental = { attachDebugInfo: 'none' as const }
  return {
    build: { ...build, sourcemap: true, rolldownOptions: { output, experimental } },
    optimizeDeps,
    // Use production React whatever NODE_ENV is, because development React would send stacks to
    // browsers.
    resolve: { external, noExternal: true },
    define: { 'process.env.NODE_ENV': '"production"' },
  }
}

function withoutEnv(environment: EnvironmentOptions): EnvironmentOptions {
  return { ...environment, define: { 'process.env': '({})', ...environment.define } }
}

/**
 * Splits the client's code: one file for the code that every page runs, and one for React and the
 * other code of interactive pages.
 */
function clientChunks({ packages, variants }: ResolvedOptions): CodeSplitting {
  // Put the code that reports errors into a separate chunk. If a hook's module throws, its whole
  // chunk fails.
  const errors = {
    name: 'errors',
    test: frameworkFilePattern('documentErrors', 'errorReporter'),
    priority: 5,
  }
  // A group also contains the modules that its own modules import. A module in two groups goes to
  // the one with the higher priority.
  const groups = [...chunkGroups]
  if (hasClientHooks(packages)) groups.unshift(errors)
  if (variants) groups.unshift(reactChunk)
  return { groups }
}

type ChunkGroup = NonNullable<CodeSplitting['groups']>[number]

// React is the same in all variants. In a chunk of its own, browsers load React only once.
const reactChunk: ChunkGroup = {
  name: 'react',
  test: /\/node_modules\/(?:react|react-dom|scheduler)\/|\/vendor\/react-server-dom\//,
  priority: 3,
}

type CodeSplitting = Extract<Rolldown.OutputOptions['codeSplitting'], object>

const chunkGroups: readonly ChunkGroup[] = [
  { name: 'entry', test: frameworkFilePattern('clientEntry'), priority: 4 },
  // Keep these two chunks small, because pages without React load them, too.
  {
    name: 'wire',
    test: frameworkFilePattern('protocol', 'dataRequest', 'frames'),
    priority: 3,
  },
  { name: 'target', test: frameworkFilePattern('html'), priority: 3 },
  // The import of the retry code can't be retried itself, so this code has a separate chunk.
  { name: 'retryImport', test: frameworkFilePattern('retryImport'), priority: 3 },
  { name: 'keepScroll', test: frameworkFilePattern('scroll'), priority: 3 },
  {
    name: 'start',
    // The framework's client components are small, and most payloads refer to them.
    test: new RegExp(
      `${frameworkFilePattern('startReact', 'boundaries', 'backButton').source}|` +
        `client-references/group/facade:.*/${frameworkFiles.rscEntry}\\.\\w+$`,
    ),
    priority: 2,
  },
  { name: 'routerChunk', test: frameworkFilePattern('routerChunk'), priority: 1 },
]
