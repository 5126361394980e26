import { AsyncLocalStorage } from 'node:async_hooks'
import {
  createLogger,
  createRunnableDevEnvironment,
  createServerHotChannel,
  DevEnvironment,
  type DevEnvironmentOptions,
  type FetchResult,
  type HotChannel,
  type HotPayload,
  type Plugin,
  type ResolvedConfig,
  type RunnableDevEnvironment,
  type RunnableDevEnvironmentContext,
  type WebSocketServer,
} from 'vite'
import { transformOwn } from '../inside/pretransformed.ts'
import { createFailureLog, explainErrors, type FailureLog } from './devLog.ts'
import { type BrowserBundles, createBrowserBundles, fetchPackage } from './fetchPackages.ts'

/**
 * Creates what creates the dev server's three environments, and the log of their failures. All that
 * differs from Vite's own is in their methods and their hot channels, in this file.
 * @param root of the app; known once Vite has read its configuration
 * @see docs/decisions/dev-server.md
 */
export function createDevEnvironments(root: () => string): { plugin: Plugin; log: FailureLog } {
  const log = createFailureLog(root)
  return { plugin: devEnvironmentsPlugin(log), log }
}

function devEnvironmentsPlugin(log: FailureLog): Plugin {
  let browser: BrowserEnvironment | undefined
  const createBrowser: CreateEnvironment = (_name, config, { ws }) => {
    browser = new BrowserEnvironment(config, ws, log)
    return browser
  }
  return {
    name: 'waymark:dev-environments',
    enforce: 'pre',
    apply: 'serve',
    config({ customLogger, logLevel, clearScreen }) {
      const logger =
        customLogger ?? createLogger(logLevel, { allowClearScreen: clearScreen ?? true })
      return { customLogger: log.wrap(logger) }
    },
    configEnvironment(name) {
      if (name === 'client') return { dev: { createEnvironment: createBrowser } }
      if (name !== 'rsc' && name !== 'ssr') return null
      const createEnvironment: CreateEnvironment = (_name, config) =>
        createServerEnvironment(name, config, () => browser?.bundles ?? null)
      return { dev: { createEnvironment } }
    },
    configureServer({ middlewares }) {
      if (browser) middlewares.use(browser.bundles.countRequests)
    },
    async hotUpdate({ file, read }) {
      if (!(this.environment instanceof BrowserEnvironment)) return
      return (await this.environment.bundles.changeFor(file, read)) ? [] : undefined
    },
  }
}

type CreateEnvironment = NonNullable<DevEnvironmentOptions['createEnvironment']>

/** The environment of the browser's modules. */
class BrowserEnvironment extends DevEnvironment {
  readonly bundles: BrowserBundles
  readonly #watch: ReturnType<typeof explainErrors>['watch']

  constructor(config: ResolvedConfig, ws: WebSocketServer, log: FailureLog) {
    const send: typeof explained.send = (...args) => explained.send(...args)
    // plugin-rsc wraps it, too.
    const sending = { value: send, writable: true }
    const transport: WebSocketServer = Object.create(ws, { send: sending })
    super('client', config, { hot: true, transport })
    this.bundles = createBrowserBundles(this, ws)
    const explained = explainErrors(this.moduleGraph, log, this.bundles.send)
    this.#watch = explained.watch
  }

  override init(...args: Parameters<DevEnvironment['init']>): Promise<void> {
    const [options] = args
    if (options?.watcher) this.#watch(options.watcher)
    return super.init(...args)
  }

  /** Any page could ask for modules by the web socket. */
  override async fetchModule(): Promise<FetchResult> {
    throw new Error('fetchModule is disabled in this environment')
  }
}

/**
 * Creates an environment that runs modules on the server.
 * @param browser what a page waits for, once the browser's environment is there
 */
function createServerEnvironment(
  name: 'rsc' | 'ssr',
  config: ResolvedConfig,
  browser: () => BrowserBundles | null,
): RunnableDevEnvironment {
  // A watcher that a module's transform creates would hold the request that imports it for good,
  // and run each later edit in its scope.
  const outside = AsyncLocalStorage.snapshot()

  class ServerEnvironment extends runnableClass(name, config) {
    override fetchModule(...args: Parameters<DevEnvironment['fetchModule']>) {
      return outside(() =>
        fetchPackage(this, name === 'ssr' ? browser() : null, args, (...changed) =>
          super.fetchModule(...changed),
        ),
      )
    }

    override async transformRequest(url: string) {
      return (await transformOwn(this, url)) ?? super.transformRequest(url)
    }

    // Whoever imports the module reports what is wrong with it.
    override async warmupRequest(url: string) {
      await this.transformRequest(url).catch(() => {})
    }
  }

  const transport = partialReloads(createServerHotChannel(), () => dropStale(environment))
  const environment: RunnableDevEnvironment = new ServerEnvironment(name, config, {
    hot: true,
    transport,
  })
  return environment
}

/**
 * After an edit, evaluates anew only the server modules that import the changed file, directly or
 * not. Vite's own reload evaluates all of them: React's development builds each time, which
 * enables one more async hook, and every package.
 * @param channel from the server to its module runner
 * @param dropStale takes the place of a full reload
 * @see docs/decisions/dev-server.md
 */
function partialReloads<Api>(channel: HotChannel<Api>, dropStale: () => void): HotChannel<Api> {
  const send = (payload: HotPayload) => {
    // The browser's environment reports the same error.
    if (payload.type === 'error') return
    if (payload.type !== 'full-reload') return channel.send?.(payload)
    // What a reload tells the app's own code, `import.meta.hot.on('vite:beforeFullReload')`.
    channel.send?.({ type: 'custom', event: 'vite:beforeFullReload', data: payload })
    dropStale()
  }
  return { ...channel, send }
}

/** Forgets the evaluated modules that Vite has invalidated. The next import evaluates them. */
function dropStale({ moduleGraph, runner }: RunnableDevEnvironment): void {
  const { idToModuleMap, urlToIdModuleMap, fileToModulesMap } = runner.evaluatedModules
  for (const [id, node] of idToModuleMap) {
    // Node itself has loaded it, and would give the same module again.
    if (node.meta && 'externalize' in node.meta) continue
    const known = moduleGraph.getModuleById(node.meta?.id ?? id)
    if (known?.transformResult) continue
    // Not `invalidateModule`: whoever still loads the old module goes on with it.
    idToModuleMap.delete(id)
    fileToModulesMap.get(node.file)?.delete(node)
  }
  for (const [url, node] of urlToIdModuleMap) {
    if (idToModuleMap.get(node.id) !== node) urlToIdModuleMap.delete(url)
  }
}

type RunnableClass = new (
  name: string,
  config: ResolvedConfig,
  context: RunnableDevEnvironmentContext,
) => RunnableDevEnvironment

/**
 * Vite's class of environments that run modules. Vite exports its type and a function that creates
 * one; plugin-rsc accepts instances of this class only.
 * @see docs/upstream/vite-runnable-environment.md
 */
function runnableClass(name: string, config: ResolvedConfig): RunnableClass {
  const options = { optimizeDeps: { noDiscovery: true, include: [] } }
  const sample = createRunnableDevEnvironment(name, config, { hot: false, options })
  return sample.constructor as RunnableClass
}
