import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { normalize } from 'node:path'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { RscPluginManager } from '@vitejs/plugin-rsc'
import {
  type Connect,
  type HttpServer,
  isRunnableDevEnvironment,
  normalizePath,
  type Plugin,
  type ProxyOptions,
  type ServerOptions,
  type ViteDevServer,
} from 'vite'
import { createUpgradeListener } from '../../node/listener.ts'
import { observeRequests } from '../../node/observeRequests.ts'
import { redirectTo, refuse, refuseUntaken } from '../../node/refuse.ts'
import { createRunningResponses } from '../../node/runningResponses.ts'
import { encodeUnencodedTarget, type ParseError } from '../../node/unencodedTarget.ts'
import { neverThrows, tryOrUndefined } from '../../shared/neverThrows.ts'
import { reservedPaths } from '../../wire/reservedPaths.ts'
import { entries } from '../config/environments.ts'
import { requestLine } from './devLog.ts'
import { corsOptions, denyOptions, editorPath, hostOptions, refuseForeign } from './devSecurity.ts'
import {
  createDevServer,
  type DevApi,
  type DevRequest,
  handleRequest,
  isForHandler,
} from './devServer.ts'

const defaultPort = 3000

/** Passes requests that Vite's dev server doesn't handle to the app's handler. */
export function devPlugin(api: DevApi, manager: RscPluginManager): Plugin {
  return {
    name: 'waymark:dev',
    apply: 'serve',
    config: ({ server }) => ({
      server: {
        port: server?.port ?? defaultPort,
        strictPort: true,
        cors: corsOptions(server?.cors),
        ...hostOptions(server?.allowedHosts, api.options().allowedHosts),
        fs: { deny: denyOptions(server?.fs?.deny) },
        watch: watchOptions(server?.watch, api.options().buildDir),
      },
    }),
    async configureServer(server) {
      const dev = await createDevServer(server, api, manager)
      // Vite only recognizes the app's root with a trailing slash.
      const isOutside = (url: string) =>
        isNonCanonicalTarget(url) || !url.split('?', 1)[0]?.startsWith(dev.base)
      if (server.httpServer) {
        hideTargets(server.httpServer, isOutside)
        handleSockets(server.httpServer, server.config.server.proxy)
        redirectUnencodedTargets(server.httpServer)
        // Vite's host check must run before this middleware.
        server.middlewares.use((req: DevRequest, res, next) => {
          const target = req.originalUrl ?? '/'
          if (!isOutside(target)) return next()
          req.url = target
          handleRequest(dev, req, res).catch(() => refuse(res, 500))
        })
      }
      server.middlewares.use(dev.devtools.middleware)
      for (const path of new Set([editorPath, `${dev.base}${editorPath.slice(1)}`])) {
        server.middlewares.use(path, refuseForeign)
      }
      server.middlewares.use((req, _, next) => {
        // A later middleware responds to the URL, so ignore a failure.
        const renewed = renewModule(server, req.url ?? '').catch(() => {})
        void renewed.then(() => next())
      })
      server.middlewares.use(leadToHandler(dev))
      server.httpServer?.once('listening', () => warmUp(server))
      return () => {
        server.middlewares.use(
          handleAndLog(dev, (line) => {
            if (api.printRequest) api.printRequest(line)
            else server.config.logger.info(line)
          }),
        )
      }
    },
    closeServer: () => api.closeJournal?.(),
  }
}

/**
 * Responds to upgrades that aren't meant for Vite. Vite handles its own WebSocket, and a
 * `server.proxy` with `ws`.
 * @param untakenMs milliseconds after which an upgrade gets a 400 if Vite hasn't accepted it
 */
export function handleSockets(
  httpServer: HttpServer,
  proxy: ServerOptions['proxy'] = {},
  untakenMs = 10_000,
): void {
  const passedOn = Object.entries(proxy)
    .filter(([, options]) => isSocketProxy(options))
    .map(([context]) => context)
  const isPassedOn = (url: string) =>
    passedOn.some((context) =>
      context.startsWith('^') ? new RegExp(context).test(url) : url.startsWith(context),
    )
  const running = createRunningResponses()
  const onRequest = (_: IncomingMessage, res: ServerResponse) => running.add(res)
  httpServer.on('request', neverThrows(onRequest, undefined))
  const handle = createUpgradeListener(httpServer, running)
  const onUpgrade: typeof handle = (req, socket, head) => {
    const isOfVite = /^vite-(?:hmr|ping)$/.test(req.headers['sec-websocket-protocol'] ?? '')
    if (isOfVite || isPassedOn(req.url ?? '')) refuseUntaken(socket, untakenMs)
    else handle(req, socket, head)
  }
  // `refuseUntaken` compares with the bytes that were written before the upgrade was accepted, so
  // run before Vite's own listener.
  httpServer.prependListener('upgrade', neverThrows(onUpgrade, undefined))
}

/** Redirects requests that Node's parser refuses only because their target isn't percent-encoded. */
function redirectUnencodedTargets(httpServer: HttpServer): void {
  const running = createRunningResponses()
  const onRequest = (_: IncomingMessage, res: ServerResponse) => running.add(res)
  httpServer.on('request', neverThrows(onRequest, undefined))
  const onClientError = (error: ParseError, socket: Duplex) => {
    // The stream is always a `net.Socket`, because Node's HTTP servers have no other connections.
    if (!socket.writable || running.of(socket as Socket)) return
    const location = encodeUnencodedTarget(error)
    if (location !== null) socket.end(redirectTo(location), () => socket.destroy())
  }
  // Run before Vite's own listener, which refuses the request if the connection is still open.
  httpServer.prependListener('clientError', neverThrows(onClientError, undefined))
}

function isSocketProxy(options: string | ProxyOptions): boolean {
  const { ws = false, target } = typeof options === 'string' ? { target: options } : options
  return ws || /^wss?:/.test(String(target ?? ''))
}

function handleAndLog(
  dev: Parameters<typeof handleRequest>[0],
  print: (line: string) => void,
): Connect.NextHandleFunction {
  return (req: DevRequest, res, next) => {
    const target = req.originalUrl ?? '/'
    const respond = () => void handleRequest(dev, req, res).catch(next)
    const observed = observeRequests(respond, {
      routeOf: () => null,
      onFinished(finished) {
        const line = requestLine(target, finished)
        if (line !== null) print(line)
      },
    })
    observed(req, res as ServerResponse<IncomingMessage> & { req: IncomingMessage })
  }
}

/**
 * Decides if the handler should respond although Vite has a file for the URL. If so, replaces the
 * URL with one that matches no file.
 */
function leadToHandler(
  dev: Parameters<typeof isForHandler>[0] & { readonly base: string },
): Connect.NextHandleFunction {
  return (req, _, next) => {
    const lead = (isOurs: boolean) => {
      if (isOurs) req.url = `${dev.base}${reservedPaths.file.slice(1)}`
      next()
    }
    isForHandler(dev, req.url ?? '').then(lead, () => lead(true))
  }
}

/**
 * Lets a browser load a failed module again. A document remembers the failure by URL, so gives new
 * timestamps to the module and to modules that only it imports.
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
      // Other modules also import this one. Under a new URL, it would be a second instance with its
      // own state, so keep the URL.
      const isUnshared = [...importers].every((by) => by === imported || renewed.has(by))
      if (isUnshared && file?.startsWith(config.root) && !file.includes('/node_modules/'))
        renewed.add(imported)
    }
  }
}

/** Loads the app before the first request. */
function warmUp({ environments }: ViteDevServer): void {
  for (const name of ['rsc', 'ssr'] as const) {
    const environment = environments[name]
    if (!environment || !isRunnableDevEnvironment(environment)) continue
    // The first request reports a failure, so ignore it here.
    environment.runner.import(entries[name]).catch(() => {})
  }
}

type WatchOptions = Exclude<ServerOptions['watch'], undefined>

/**
 * Excludes the build folder from watching. Otherwise a failing page would reload itself, because
 * its failure adds a journal entry.
 * @param options watch options in the app's configuration; `null` turns watching off
 */
export function watchOptions(options: WatchOptions | undefined, buildDir: string): WatchOptions {
  if (options === null) return null
  const folder = normalizePath(buildDir)
  const isBuildFile = (file: string) => `${normalizePath(file)}/`.startsWith(`${folder}/`)
  return { ignored: [isBuildFile] }
}

/**
 * True for targets that would make Vite's middlewares hang or crash the process: `*`, a target with
 * a host, or one that begins with two slashes. Also true for targets with which plugin-rsc would
 * read arbitrary files.
 */
export function isNonCanonicalTarget(url: string | undefined): boolean {
  return url === undefined || !url.startsWith('/') || url.startsWith('//') || namesOddFile(url)
}

/**
 * True if a file URL isn't normalized. Node 20 leaves dots behind `/.name/`, which would bypass the
 * check of the files that may be read.
 */
function namesOddFile(url: string): boolean {
  const name = new URLSearchParams(url.slice(url.indexOf('?'))).get('filename')
  const file = tryOrUndefined(() => fileURLToPath(name ?? '')) ?? ''
  return file !== '' && normalize(file) !== file
}

/** A target that isn't a URL of Vite, a plugin or an app. */
const hiddenTarget = `${reservedPaths.dev}outside`

// Matches targets in absolute form with a valid host. The app itself refuses invalid hosts.
const absoluteForm = /^https?:\/\/((?:[\w.~-]+|\[[\da-f:.]+\])(?::\d+)?)((?:[/?].*)?)$/is

/**
 * Splits a target in absolute form. The target's host replaces the `Host` header, so that Vite checks
 * the host.
 *
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
 * Replaces targets that Vite's middlewares can't handle, before they run. `originalUrl` still has
 * the target. If it is in absolute form, its host becomes the `Host` header.
 */
export function hideTargets(
  httpServer: Pick<NonNullable<ViteDevServer['httpServer']>, 'prependListener'>,
  isOutside: (url: string) => boolean,
): void {
  httpServer.prependListener('request', (req: DevRequest) => {
    const absolute = splitAbsolute(req.url)
    if (absolute !== null) {
      req.url = absolute.target
      req.headers.host = absolute.host
    }
    if (!isOutside(req.url ?? '')) return
    req.originalUrl = req.url
    req.url = hiddenTarget
  })
}
