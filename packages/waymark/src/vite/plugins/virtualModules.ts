import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { normalizePath, type Plugin } from 'vite'
import { loadEnvFiles } from '../../node/env.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'

/** Files beside the app folder that an app may have, by the name the framework knows them by. */
const names = ['proxy', 'instrumentation', 'screens', 'server'] as const

const extensions = ['.tsx', '.ts', '.jsx', '.js', '.mts', '.mjs']
const moduleId = 'virtual:waymark/app-files'

/** Serves the module that exports the app's optional files; `null` for one that is not there. */
export function appFilesPlugin(options: () => ResolvedOptions): Plugin {
  return {
    name: 'waymark:app-files',
    config(_config, { command }) {
      // The browser's half of screens.ts is left out where there is none; in development one may
      // be added while the server runs.
      const present = command === 'serve' || hasFile('screens', path.dirname(options().appDir))
      return { define: { 'import.meta.env.WAYMARK_SCREENS': JSON.stringify(present) } }
    },
    resolveId: { filter: { id: /^virtual:waymark\/app-files$/ }, handler: () => `\0${moduleId}` },
    load: {
      filter: { id: /^\0virtual:waymark\/app-files$/ },
      async handler() {
        const folder = path.dirname(options().appDir)
        const present = new Set(await readdir(folder))
        return names.map((name) => exportOf(name, folder, present)).join('')
      },
    },
    configureServer(server) {
      const isAppFile = (file: string) => {
        const { dir, name, ext } = path.parse(file)
        const isNamed = (names as readonly string[]).includes(name) && extensions.includes(ext)
        return isNamed && path.normalize(dir) === path.dirname(options().appDir)
      }
      const reload = (file: string) => {
        if (!isAppFile(file)) return
        const { moduleGraph } = server.environments.rsc as NonNullable<
          typeof server.environments.rsc
        >
        const module = moduleGraph.getModuleById(`\0${moduleId}`)
        if (module) moduleGraph.invalidateModule(module)
        server.environments.client.hot.send({ type: 'full-reload' })
      }
      server.watcher.on('add', reload)
      server.watcher.on('unlink', reload)
    },
  }
}

function hasFile(name: string, folder: string): boolean {
  return extensions.some((extension) => existsSync(path.join(folder, name + extension)))
}

function exportOf(name: string, folder: string, present: ReadonlySet<string>): string {
  const extension = extensions.find((each) => present.has(name + each))
  if (extension === undefined) return `export const ${name} = null\n`
  const file = normalizePath(path.join(folder, name + extension))
  return `export * as ${name} from ${JSON.stringify(file)}\n`
}

/** Serves the modules that tell server and browser of the options that count while they run. */
export function configPlugin(options: () => ResolvedOptions): Plugin {
  return {
    name: 'waymark:config',
    resolveId: {
      filter: { id: /^virtual:waymark\/(?:config|navigation)$/ },
      handler: (source) => `\0${source}`,
    },
    load: {
      filter: { id: /^\0virtual:waymark\/(?:config|navigation)$/ },
      handler(id) {
        const { theme, statusDeadlineMs, settleDeadlineMs, cacheLife, security, actions } =
          options()
        const { navigation, prefetch } = options()
        const deadlines = { statusDeadlineMs, settleDeadlineMs }
        return id.endsWith('navigation')
          ? constants({ navigation, prefetch })
          : constants({ theme, ...deadlines, cacheLife, security, actions })
      },
    },
  }
}

function constants(values: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(values)
  return lines.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`).join('')
}

/** Puts the variables of `.env` files into `process.env`, where server code reads them. */
export function envPlugin(): Plugin {
  return {
    name: 'waymark:env',
    enforce: 'pre',
    config(config, { mode }) {
      if (config.envDir === false) return
      const root = path.resolve(config.root ?? process.cwd())
      loadEnvFiles(path.resolve(root, config.envDir ?? '.'), mode, process.env)
    },
  }
}
