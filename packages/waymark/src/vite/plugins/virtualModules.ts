import { readdir } from 'node:fs/promises'
import path, { type PlatformPath } from 'node:path'
import { normalizePath, type Plugin } from 'vite'
import { loadEnvFiles } from '../../node/env.ts'
import { frameworkError } from '../../shared/errors.ts'
import { appFileExtensions as extensions, findAppFile } from '../config/appFiles.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import { serveVirtual } from '../config/virtualModule.ts'

const names = ['proxy', 'instrumentation', 'screens', 'server'] as const

const moduleId = 'virtual:waymark/app-files'

/**
 * Serves the module that exports the app's optional files. A missing file is exported as `null`.
 */
export function appFilesPlugin(options: () => ResolvedOptions): Plugin {
  return {
    name: 'waymark:app-files',
    config(_config, { command }) {
      // A build without screens.ts drops its code for browsers. In development, the file may be
      // added later, so the code stays.
      const hasScreens = findAppFile('screens', path.dirname(options().appDir)) !== null
      const present = command === 'serve' || hasScreens
      return { define: { 'import.meta.env.WAYMARK_SCREENS': JSON.stringify(present) } }
    },
    ...serveVirtual(`${moduleId}$`, async () => {
      const { appDir, root, proxy } = options()
      const folder = path.dirname(appDir)
      const present = new Set(await readdir(folder))
      if (proxy !== null) {
        const others = names.filter((name) => name !== 'proxy')
        const lines = others.map((name) => exportOf(name, folder, present))
        return [`export * as proxy from ${JSON.stringify(proxy)}\n`, ...lines].join('')
      }
      refuseMiddleware(present)
      if (folder !== normalizePath(root)) refuseMiddleware(new Set(await readdir(root)), present)
      return names.map((name) => exportOf(name, folder, present)).join('')
    }),
    configureServer(server) {
      const { rsc, client } = server.environments
      const reload = (file: string) => {
        if (!isAppFile(file, options().appDir)) return
        const module = rsc?.moduleGraph.getModuleById(`\0${moduleId}`)
        if (module) rsc?.moduleGraph.invalidateModule(module)
        client.hot.send({ type: 'full-reload' })
      }
      server.watcher.on('add', reload)
      server.watcher.on('unlink', reload)
    },
  }
}

/**
 * True for a file next to the app folder, such as proxy.ts.
 * @param file path from the watcher, which has backslashes on Windows, while the app folder's path
 * has slashes
 */
export function isAppFile(file: string, appDir: string, system: PlatformPath = path): boolean {
  const { dir, name, ext } = system.parse(system.relative(system.dirname(appDir), file))
  return dir === '' && [...names, 'middleware'].includes(name) && extensions.includes(ext)
}

/**
 * Refuses a `middleware.ts`, unless there is a proxy.ts that may use it. A guard that was written
 * for a different framework would otherwise be ignored silently.
 * @param beside files next to the app folder, where proxy.ts belongs
 * @throws `IGNORED_FILE`
 */
export function refuseMiddleware(
  present: ReadonlySet<string>,
  beside: ReadonlySet<string> = present,
): void {
  const extension = extensions.find((each) => present.has(`middleware${each}`))
  if (extension === undefined || extensions.some((each) => beside.has(`proxy${each}`))) return
  throw frameworkError('IGNORED_FILE', {
    file: `middleware${extension}`,
    instead:
      'Waymark runs proxy.ts, next to the app folder. Rename the file to proxy.ts and its function to proxy. Return a Response to respond, or use next() or rewrite() from waymark/server to continue.',
  })
}

function exportOf(name: string, folder: string, present: ReadonlySet<string>): string {
  const extension = extensions.find((each) => present.has(name + each))
  if (extension === undefined) return `export const ${name} = null\n`
  const file = normalizePath(path.join(folder, name + extension))
  return `export * as ${name} from ${JSON.stringify(file)}\n`
}

/**
 * Serves the modules with the options that the server and browsers read at run time. Browsers have
 * one module per chunk, because only `limits` and `startup` are needed before the page is idle.
 * `limits` runs none of the app's code, because workers may import it, too.
 * @param mayHaveActions called after the server's modules have been read
 */
export function configPlugin(
  options: () => ResolvedOptions,
  mayHaveActions: () => boolean,
): Plugin {
  return {
    name: 'waymark:config',
    ...serveVirtual(settingModules, (id) => {
      const { theme, statusDeadlineMs, settleDeadlineMs, ...others } = options()
      const { cacheLife, security, actions, navigation, prefetch, clientSetup } = others
      const { allowedHosts } = others
      switch (id.replace(/.*\//, '')) {
        case 'limits':
          return constants({ timeoutMs: navigation.timeoutMs })
        case 'startup':
          return setup(clientSetup)
        case 'navigation':
          return constants({ navigation, mayHaveActions: mayHaveActions() })
        case 'prefetch':
          return constants({ prefetch })
        default:
          return constants({
            theme,
            statusDeadlineMs,
            settleDeadlineMs,
            cacheLife,
            security,
            actions,
            allowedHosts,
            navigationTimeoutMs: navigation.timeoutMs,
          })
      }
    }),
  }
}

const settingModules = 'virtual:waymark/(?:config|limits|startup|navigation|prefetch)$'

function setup(module: string | null): string {
  return module === null
    ? 'export const onNavigationStart = null\n'
    : `export { onNavigationStart } from ${JSON.stringify(module)}\n`
}

function constants(values: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(values)
  return lines.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`).join('')
}

/** Adds the variables of `.env` files to `process.env`, where server code reads them. */
export function envPlugin(): Plugin {
  let warnings: readonly string[] = []
  return {
    name: 'waymark:env',
    enforce: 'pre',
    config(config, { mode }) {
      if (config.envDir === false) return
      const root = path.resolve(config.root ?? process.cwd())
      const folder = path.resolve(root, config.envDir ?? '.')
      warnings = loadEnvFiles(folder, mode, process.env).warnings
    },
    configResolved({ logger }) {
      for (const warning of warnings) logger.warnOnce(warning)
    },
  }
}
