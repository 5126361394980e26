import type { RequestListener } from 'node:http'
import type { RscPluginManager } from '@vitejs/plugin-rsc'
import {
  isRunnableDevEnvironment,
  normalizePath,
  type Plugin,
  type ServerOptions,
  type ViteDevServer,
} from 'vite'
import { viteDock } from '../../devtools/panelEndpoint.ts'
import { refuse } from '../../node/refuse.ts'
import { internalPrefix } from '../../shared/protocol.ts'
import { entries } from '../config/environments.ts'
import { corsOptions, denyOptions, editorPath, refuseForeign } from './devSecurity.ts'
import { createDevServer, type DevApi, type DevRequest, handleRequest } from './devServer.ts'
import { isForProxiedFile } from './publicFiles.ts'

const defaultPort = 3000

/** Handles the requests that Vite's dev server passes on, with the app's handler. */
export function devPlugin(
  api: DevApi,
  manager: RscPluginManager,
): Plugin & { readonly devtools: object } {
  return {
    name: 'waymark:dev',
    devtools: viteDock(api.options),
    apply: 'serve',
    config: ({ server }) => ({
      server: {
        port: server?.port ?? defaultPort,
        strictPort: true,
        cors: corsOptions(server?.cors),
        fs: { deny: denyOptions(server?.fs?.deny) },
        watch: watchOptions(server?.watch, api.options().buildDir),
      },
    }),
    configureServer(server) {
      const dev = createDevServer(server, api, manager)
      const { breakRequests } = dev.tools
      if (breakRequests) server.middlewares.use(breakRequests)
      for (const path of new Set([editorPath, `${dev.base}${editorPath.slice(1)}`])) {
        server.middlewares.use(path, refuseForeign)
      }
      server.middlewares.use((req, _, next) => {
        // What is no URL of a module gets its response from those that come after this.
        void renewModule(server, req.url ?? '').then(
          () => next(),
          () => next(),
        )
      })
      server.middlewares.use((req, _, next) => {
        // Under a name that no file has, it passes Vite's checks and reaches the handler.
        const hide = (isProxied: boolean) => {
          if (isProxied) req.url = proxiedFileUrl(dev.base)
          next()
        }
        isForProxiedFile(dev, req.url ?? '').then(hide, () => hide(true))
      })
      // Vite knows the root of an app by its slash only.
      const isForApp = (url: string) => !url.split('?', 1)[0]?.startsWith(dev.base)
      const respond: RequestListener = (req, res) => {
        handleRequest(dev, req, res).catch(() => refuse(res, 500))
      }
      respondToNonCanonical(server.httpServer, respond, isForApp)
      server.httpServer?.once('listening', () => warmUp(server))
      return () => {
        server.middlewares.use((req: DevRequest, res, next) => {
          handleRequest(dev, req, res).catch(next)
        })
      }
    },
  }
}

const proxiedFileUrl = (base: string) => `${base}${internalPrefix.slice(1)}file`

/**
 * Lets a browser load a module again that it has failed to load: a document remembers a failure by
 * its URL. Under a time newer than the module's, the module names itself by that, as React's Fast
 * Refresh has it do, and what no other module imports.
 */
async function renewModule({ config, environments }: ViteDevServer, url: string): Promise<void> {
  const [, path = '', , time = ''] = /^([^?]+\?(.*&)?)t=(\d{1,15})$/.exec(url) ?? []
  const graph = environments.client.moduleGraph
  const module = time && (await graph.getModuleByUrl(`/${path.slice(config.base.length, -1)}`))
  if (!module || module.lastHMRTimestamp >= Number(time)) return
  const renewed = new Set([module])
  for (const each of renewed) {
    graph.invalidateModule(each)
    each.lastHMRTimestamp = Number(time)
    for (const imported of each.importedModules) {
      const { file, importers } = imported
      // Others may have it: a second instance would have a state of its own.
      const isOwn = [...importers].every((by) => by === imported || renewed.has(by))
      if (isOwn && file?.startsWith(config.root) && !file.includes('/node_modules/'))
        renewed.add(imported)
    }
  }
}

/**
 * Loads what each page needs, before the first request comes.
 * @see docs/decisions/dev-bundles.md
 */
function warmUp({ environments: { rsc, ssr } }: ViteDevServer): void {
  for (const [environment, entry] of [
    [rsc, entries.rsc],
    [ssr, entries.ssr],
  ] as const) {
    if (!environment || !isRunnableDevEnvironment(environment)) continue
    // The first request meets what fails, and reports it.
    environment.runner.import(entry).catch(() => {})
  }
}

type WatchOptions = Exclude<ServerOptions['watch'], undefined>

/**
 * Excludes the build folder, which the dev server writes itself: a page that fails would be
 * reloaded for its own entry in the journal, fail again, and so on.
 * @param given by the app's configuration; `null` watches nothing
 */
export function watchOptions(given: WatchOptions | undefined, buildDir: string): WatchOptions {
  if (given === null) return null
  const folder = normalizePath(buildDir)
  const isOwn = (file: string) => `${normalizePath(file)}/`.startsWith(`${folder}/`)
  return { ignored: [isOwn] }
}

/**
 * Tells whether Vite's middlewares can't handle a request target: `*`, one with a host in it, one
 * that begins with two slashes. Some make them hang, others end the process.
 */
export function isNonCanonicalTarget(url: string | undefined): boolean {
  return url === undefined || !url.startsWith('/') || url.startsWith('//')
}

// The app refuses an invalid host.
const absoluteForm = /^https?:\/\/((?:[\w.~-]+|\[[\da-f:.]+\])(?::\d+)?)((?:[/?].*)?)$/is

/**
 * Splits a target in absolute form. Its host replaces the `Host` header, so Vite has to check it.
 * @returns `null` for a target in another form
 * @see RFC 9112 §3.2.2
 */
export function splitAbsolute(
  url: string | undefined,
): { readonly host: string; readonly target: string } | null {
  const [, host, rest = ''] = absoluteForm.exec(url ?? '') ?? []
  if (host === undefined) return null
  return { host, target: rest.startsWith('/') ? rest : `/${rest}` }
}

/**
 * Handles requests that Vite's middlewares can't. Those with a target in absolute form go to Vite
 * with their host in the header.
 * @param handle responds instead of Vite
 * @param isForApp of others, as those outside of `basePath`, which Vite would respond to itself
 */
export function respondToNonCanonical(
  httpServer: ViteDevServer['httpServer'],
  handle: RequestListener,
  isForApp: (url: string) => boolean = () => false,
): void {
  if (httpServer === null) return
  // Not a middleware: their stack parses the target first.
  const listeners = httpServer.listeners('request') as RequestListener[]
  httpServer.removeAllListeners('request')
  httpServer.on('request', (req, res) => {
    const absolute = splitAbsolute(req.url)
    if (absolute !== null) {
      req.url = absolute.target
      req.headers.host = absolute.host
    }
    const isOurs = isNonCanonicalTarget(req.url) || isForApp(req.url ?? '')
    const chosen = isOurs ? [handle] : listeners
    for (const listener of chosen) listener.call(httpServer, req, res)
  })
}
