import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EnvironmentOptions, Plugin } from 'vite'
import { assetsPrefix } from '../shared/protocol.ts'
import type { ResolvedOptions } from './options.ts'

/** Entry of each environment: a file of this package. */
export const entries = {
  rsc: entryFile('rsc'),
  ssr: entryFile('ssr'),
  client: entryFile('client'),
}

/** What a variable of a `.env` file must begin with to reach the browser. */
export const publicEnvPrefixes = ['VITE_', 'PUBLIC_']

const vendor = '@vitejs/plugin-rsc/vendor/react-server-dom'
const assetsDir = assetsPrefix.slice(1, -1)

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
      })
      return {
        envPrefix: config.envPrefix ?? publicEnvPrefixes,
        // The steps of a build share what they learn of each other's modules.
        builder: { sharedPlugins: true, sharedConfigBuild: true },
        environments: {
          client: { build: build('client'), optimizeDeps: { exclude: ['waymark'] } },
          rsc: serverEnvironment(command, build('rsc'), [
            `${vendor}/server.node`,
            `${vendor}/client.node`,
          ]),
          ssr: serverEnvironment(command, build('ssr'), [
            'react-dom/server',
            `${vendor}/client.node`,
          ]),
        },
      }
    },
  }
}

function serverEnvironment(
  command: 'build' | 'serve',
  build: EnvironmentOptions['build'] & object,
  include: string[],
): EnvironmentOptions {
  const optimizeDeps = { include, exclude: ['waymark'] }
  // Loaded by Node itself, this package would be there twice, each with its own request scope.
  if (command === 'serve') return { build, optimizeDeps, resolve: { noExternal: ['waymark'] } }
  // Vite would name them after the `type` of the app's package.json; the folder has its own.
  const output = { entryFileNames: '[name].js', chunkFileNames: `${assetsDir}/[name]-[hash].js` }
  return {
    build: { ...build, rolldownOptions: { output } },
    optimizeDeps,
    // A built server is one folder that needs no node_modules, and production React whatever
    // NODE_ENV says when it starts: development React would send messages and stacks to browsers.
    resolve: { noExternal: true },
    define: { 'process.env.NODE_ENV': '"production"' },
  }
}

function entryFile(environment: string): string {
  return fileURLToPath(new URL(`../${environment}/entry.js`, import.meta.url))
}
