import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EnvironmentOptions, Plugin, Rolldown } from 'vite'
import { assetsPrefix } from '../../shared/protocol.ts'
import type { ResolvedOptions } from './pluginOptions.ts'
import { reactServerDom } from './reactPatches.ts'

const entryModules = {
  client: 'client/browserEntry',
  rsc: 'rsc/rscEntry',
  ssr: 'ssr/ssrEntry',
} as const

/** Entry of each environment: a file of this package. */
export const entries = {
  rsc: entryFile('rsc'),
  ssr: entryFile('ssr'),
  client: entryFile('client'),
}

/** What a variable of a `.env` file must begin with to reach the browser. */
export const publicEnvPrefixes = ['VITE_', 'PUBLIC_']

const assetsDir = assetsPrefix.slice(1, -1)

const browsersWithLightDark = ['chrome123', 'edge123', 'firefox120', 'safari17.5']

/** Configures the three environments: where they are written, and what they bundle. */
export function environmentsPlugin(options: () => ResolvedOptions): Plugin {
  return {
    name: 'waymark:environments',
    config(config, { command }) {
      const outDir = (environment: string) => path.join(options().buildDir, environment)
      const build = (environment: string) => ({
        outDir: outDir(environment),
        assetsDir,
        // Counting them anew for every chunk takes longer than to write them.
        reportCompressedSize: false,
        // Lowered for older browsers, `light-dark()` would no longer follow the theme's script.
        cssTarget: config.build?.cssTarget ?? browsersWithLightDark,
      })
      // Vite knows this option as one of its `ssr` environment; here it means both servers.
      const external = config.ssr?.external
      const server = { command, external: external === true ? undefined : external }
      return {
        envPrefix: config.envPrefix ?? publicEnvPrefixes,
        // A package linked from elsewhere has the app's React, too.
        resolve: { dedupe: react },
        // The steps of a build share what they learn of each other's modules.
        builder: { sharedPlugins: true, sharedConfigBuild: true },
        environments: {
          // Kept apart from what is served: see keepSourceMaps.ts.
          client: {
            build: {
              ...build('client'),
              sourcemap: 'hidden',
              rolldownOptions: { output: { codeSplitting: clientChunks } },
            },
            optimizeDeps: { exclude: ['waymark'] },
          },
          rsc: serverEnvironment(server, build('rsc')),
          // What renders client components has no more of the environment than a browser has.
          ssr: withoutEnv(serverEnvironment(server, build('ssr'))),
        },
      }
    },
    configEnvironment(name, { optimizeDeps }, { command }) {
      if (optimizeDeps) optimizeDeps.include = bundledInDev(name, optimizeDeps.include ?? [])
      return name === 'ssr' && command === 'serve' ? reactOfNode : null
    },
  }
}

const react = ['react', 'react-dom']

/**
 * Has Node load React for the HTML in development: to transform its 13,000 lines, again at each
 * start, would be a fifth of what the first page costs.
 */
const reactOfNode: EnvironmentOptions = {
  resolve: { external: react },
  optimizeDeps: { exclude: react },
}

/**
 * What the dev server bundles before it is asked for. plugin-rsc names its own parts as if the
 * app had installed them, and the builds of React that are used nowhere here, too.
 */
function bundledInDev(environment: string, include: readonly string[]): string[] {
  const isUsed = (id: string) => {
    if (environment === 'ssr' && react.includes(id.replace(/\/.*/, ''))) return false
    return !id.endsWith('.edge') && !id.startsWith(reactServerDom)
  }
  const runtimes = {
    client: ['client.browser'],
    rsc: ['server.node', 'client.node'],
    ssr: ['client.node'],
  }[environment]
  const nested = (runtimes ?? []).map((name) => `waymark > ${reactServerDom}/${name}`)
  return [...include.filter(isUsed), ...nested]
}

function serverEnvironment(
  { command, external }: { command: 'build' | 'serve'; external: string[] | undefined },
  build: EnvironmentOptions['build'] & object,
): EnvironmentOptions {
  const optimizeDeps = { exclude: ['waymark'] }
  // Loaded by Node itself, this package would be there twice, each with its own request scope.
  if (command === 'serve') return { build, optimizeDeps, resolve: { noExternal: ['waymark'] } }
  // Vite would name them after the `type` of the app's package.json; the folder has its own.
  const output = { entryFileNames: '[name].js', chunkFileNames: `${assetsDir}/[name]-[hash].js` }
  // Comments with the paths of modules, which differ from machine to machine.
  const experimental = { attachDebugInfo: 'none' as const }
  return {
    // For the stacks of errors: those of a page that can't be prerendered, first of all.
    build: { ...build, sourcemap: true, rolldownOptions: { output, experimental } },
    optimizeDeps,
    // A built server is one folder that needs no node_modules, and production React whatever
    // NODE_ENV says when it starts: development React would send messages and stacks to browsers.
    resolve: { noExternal: true, ...(external ? { external } : {}) },
    define: { 'process.env.NODE_ENV': '"production"' },
  }
}

function withoutEnv(environment: EnvironmentOptions): EnvironmentOptions {
  return { ...environment, define: { 'process.env': '({})', ...environment.define } }
}

function entryFile(environment: keyof typeof entryModules): string {
  return fileURLToPath(new URL(`../../${entryModules[environment]}.js`, import.meta.url))
}

/** Both of an installed package and of the workspace. */
const own = '/waymark/(?:dist|src)'

/**
 * How the framework's own client code is cut: one file for what every page runs, one for what
 * React and an interactive page need beside it. What is always loaded together is compressed
 * together; all else is cut by who imports it.
 */
export const clientChunks: NonNullable<Rolldown.OutputOptions['codeSplitting']> = {
  // With each module comes what it imports; what two groups need is in that of the higher priority.
  groups: [
    { name: 'entry', test: new RegExp(`${own}/client/browserEntry\\.\\w+$`), priority: 4 },
    // Pages without React load these two as well.
    {
      name: 'wire',
      test: new RegExp(
        `${own}/(?:shared/(?:protocol|checksum)|client/document/documentNonce)\\.\\w+$`,
      ),
      priority: 3,
    },
    // Links in client components need it, too, and not the router.
    { name: 'target', test: new RegExp(`${own}/shared/safeHref\\.\\w+$`), priority: 3 },
    {
      name: 'keepScroll',
      test: new RegExp(`${own}/client/navigation/scroll\\.\\w+$`),
      priority: 3,
    },
    {
      name: 'start',
      // The client components of the framework stand in most payloads, and are small.
      test: new RegExp(
        `${own}/(?:client/startReact|components/boundaries|screens/BackButton)\\.\\w+$|` +
          `client-references/group/facade:.*${own}/rsc/rscEntry\\.\\w+$`,
      ),
      priority: 2,
    },
    { name: 'late', test: new RegExp(`${own}/client/routerChunk\\.\\w+$`), priority: 1 },
  ],
}
