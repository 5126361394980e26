import { AsyncLocalStorage } from 'node:async_hooks'
import {
  createLogger,
  createRunnableDevEnvironment,
  createServerHotChannel,
  DevEnvironment,
  type FetchResult,
  type Plugin,
  type ResolvedConfig,
  type RunnableDevEnvironment,
  type RunnableDevEnvironmentContext,
  type WebSocketServer,
} from 'vite'
import { explainErrors, type FailureLog } from './devLog.ts'
import { type BrowserBundles, createBrowserBundles, fetchPackage } from './fetchPackages.ts'
import { dropStale, partialReloads } from './partialReload.ts'
import { transformOwn } from './pretransformed.ts'

/**
 * Creates the dev server's three environments. All that differs from Vite's own is in their methods
 * and their hot channels, in this file.
 * @see docs/decisions/dev-server.md
 */
export function devEnvironmentsPlugin(log: FailureLog): Plugin {
  let browser: BrowserEnvironment | undefined
  return {
    name: 'waymark:dev-environments',
    apply: 'serve',
    config({ customLogger, logLevel, clearScreen }) {
      const logger =
        customLogger ?? createLogger(logLevel, { allowClearScreen: clearScreen ?? true })
      return { customLogger: log.wrap(logger) }
    },
    configEnvironment(name) {
      if (name === 'client') {
        return {
          dev: {
            createEnvironment(_name, config, { ws }) {
              browser = new BrowserEnvironment(config, ws, log)
              return browser
            },
          },
        }
      }
      if (name !== 'rsc' && name !== 'ssr') return null
      return {
        dev: {
          createEnvironment: (_name, config) =>
            createServerEnvironment(name, config, () => browser?.bundles ?? null),
        },
      }
    },
  }
}

/** The environment of the browser's modules. */
export class BrowserEnvironment extends DevEnvironment {
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
