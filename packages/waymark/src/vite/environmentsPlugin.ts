import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import type { ResolvedOptions } from './options.ts'

/** Entry of each environment: a file of this package. */
export const entries = {
  rsc: entryFile('rsc'),
  ssr: entryFile('ssr'),
  client: entryFile('client'),
}

function entryFile(environment: string): string {
  return fileURLToPath(new URL(`../${environment}/entry.js`, import.meta.url))
}

const vendor = '@vitejs/plugin-rsc/vendor/react-server-dom'

/** Configures the three environments: where they are written, and what they bundle. */
export function environmentsPlugin(options: () => ResolvedOptions): Plugin {
  return {
    name: 'waymark:environments',
    config(_config, { command }) {
      const outDir = (environment: string) => path.join(options().buildDir, environment)
      const server = serverEnvironment(command)
      return {
        environments: {
          client: {
            build: { outDir: outDir('client'), assetsDir: '_waymark/assets', manifest: true },
            optimizeDeps: { exclude: ['waymark'] },
          },
          rsc: {
            ...server,
            build: { outDir: outDir('rsc'), assetsDir: '_waymark/assets' },
            optimizeDeps: {
              include: [`${vendor}/server.node`, `${vendor}/client.node`],
              exclude: ['waymark'],
            },
          },
          ssr: {
            ...server,
            build: { outDir: outDir('ssr'), assetsDir: '_waymark/assets' },
            optimizeDeps: {
              include: ['react-dom/server', `${vendor}/client.node`],
              exclude: ['waymark'],
            },
          },
        },
      }
    },
  }
}

/**
 * A built server is one folder that needs no node_modules, and production React whatever
 * NODE_ENV says when it starts: development React would send messages and stacks to browsers.
 */
function serverEnvironment(command: 'build' | 'serve') {
  if (command === 'serve') return {}
  return {
    resolve: { noExternal: true as const },
    define: { 'process.env.NODE_ENV': '"production"' },
  }
}
