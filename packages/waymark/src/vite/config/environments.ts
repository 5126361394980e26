import path from 'node:path'
import type { EnvironmentOptions, Plugin, Rolldown } from 'vite'
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

/** What a variable of a `.env` file must begin with to reach the browser. */
export const publicEnvPrefixes = ['VITE_', 'PUBLIC_']

const assetsDir = assetsPrefix.slice(1, -1)

const browsersWithLightDark = ['chrome123', 'edge123', 'firefox120', 'safari17.5']

export function environmentsPlugin(options: () => ResolvedOptions): Plugin {
  return {
    name: 'waymark:environments',
    config(config, { command }) {
      const { basePath, buildDir, assetBase, trailingSlash } = options()
      const unbundled = unbundledPackages(options())
      const build = (environment: string) => ({
        outDir: path.join(buildDir, environment),
        assetsDir,
        // Compressing every chunk to report its size takes longer than writing it.
        reportCompressedSize: false,
      })
      // In Vite this option is for the `ssr` environment; here it applies to both servers.
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
        },
        envPrefix: config.envPrefix ?? publicEnvPrefixes,
        // Lowered for older browsers, `light-dark()` would no longer follow the theme's script. Vite reads
        // this option of the whole configuration where it minifies, and not those of the environments.
        build: { cssTarget: config.build?.cssTarget ?? browsersWithLightDark },
        // A package linked from elsewhere has the app's React, too.
        resolve: { dedupe: react, tsconfigPaths: true },
        builder: { sharedPlugins: true, sharedConfigBuild: true },
        environments: {
          // They are moved away from what is served: see sourceMaps.ts.
          client: {
            build: {
              ...build('client'),
              sourcemap: 'hidden',
              rolldownOptions: { output: { codeSplitting: clientChunks(options()) } },
            },
            optimizeDeps: { exclude: unbundled },
          },
          rsc: serverEnvironment(server, build('rsc')),
          // Client components see no more of the environment here than in a browser.
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
 * The framework, and the packages on it that an app lists or imports. The dev server does not bundle
 * them: their modules would be loaded twice, and each copy would have a request scope of its own.
 */
export function unbundledPackages({ packages, dependents }: ResolvedOptions): string[] {
  return ['waymark', ...packages.map(({ name }) => name), ...dependents]
}

/** Of the core, on the server: bundled in advance, each would cost the first page a bundle. */
const coreDependencies = ['path-to-regexp']

/** In development, Node itself loads React on both sides of the server: see nodeReact.ts. */
function loadedByNode(external: string[]): EnvironmentOptions {
  return { resolve: { external }, optimizeDeps: { exclude: [...react, ...coreDependencies] } }
}

/** Leaves out what plugin-rsc lists as if the app had it, and React, which Node loads. */
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
  // Vite would name them after the `type` of the app's package.json; the folder has its own.
  const output = { entryFileNames: '[name].js', chunkFileNames: `${assetsDir}/[name]-[hash].js` }
  // Comments with the paths of modules, which differ from machine to machine.
  const experimental = { attachDebugInfo: 'none' as const }
  return {
    build: { ...build, sourcemap: true, rolldownOptions: { output, experimental } },
    optimizeDeps,
    // Whatever NODE_ENV says at the start: development React would send stacks to browsers.
    resolve: { external, noExternal: true },
    define: { 'process.env.NODE_ENV': '"production"' },
  }
}

function withoutEnv(environment: EnvironmentOptions): EnvironmentOptions {
  return { ...environment, define: { 'process.env': '({})', ...environment.define } }
}

/**
 * One file for what every page runs, one for React and what an interactive page needs beside it.
 */
function clientChunks({ packages }: ResolvedOptions): CodeSplitting {
  // If the module of a hook throws, its whole chunk fails. The code that reports the error needs another chunk.
  const errors = {
    name: 'errors',
    test: frameworkFilePattern('documentErrors', 'errorReporter'),
    priority: 5,
  }
  // A module brings its imports into its group; imports of two groups go to the one with the higher priority.
  return { groups: hasClientHooks(packages) ? [errors, ...chunkGroups] : chunkGroups }
}

type CodeSplitting = Extract<Rolldown.OutputOptions['codeSplitting'], object>

const chunkGroups: NonNullable<CodeSplitting['groups']> = [
  { name: 'entry', test: frameworkFilePattern('clientEntry'), priority: 4 },
  // Pages without React load these two as well.
  {
    name: 'wire',
    test: frameworkFilePattern('protocol', 'dataRequest', 'frames'),
    priority: 3,
  },
  { name: 'target', test: frameworkFilePattern('html'), priority: 3 },
  // The import of the code for retries can't be retried, so this code has a chunk of its own.
  { name: 'retryImport', test: frameworkFilePattern('retryImport'), priority: 3 },
  { name: 'keepScroll', test: frameworkFilePattern('scroll'), priority: 3 },
  {
    name: 'start',
    // Most payloads name the framework's client components, and these are small.
    test: new RegExp(
      `${frameworkFilePattern('startReact', 'boundaries', 'backButton').source}|` +
        `client-references/group/facade:.*/${frameworkFiles.rscEntry}\\.\\w+$`,
    ),
    priority: 2,
  },
  { name: 'routerChunk', test: frameworkFilePattern('routerChunk'), priority: 1 },
]
