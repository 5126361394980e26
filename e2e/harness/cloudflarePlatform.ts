import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { appEnv } from './appEnv.ts'
import { findWorkerd } from './hostPrograms.ts'
import { type ServerProcess, startServer } from './serverProcess.ts'

// Emulates the parts of Cloudflare's platform that workerd doesn't contain: the router in front of a
// worker, the server for assets with its `_headers` file, and KV. They follow Cloudflare's
// documentation and published sources, but they are not Cloudflare's own programs.

/** An app's Build Output in workerd, behind an emulated platform. */
export type CloudflareServer = {
  /** Origins of the workers. Each worker is an isolate of its own. */
  readonly origins: readonly [string, ...string[]]
  readonly root: string
  /** Binding of the shared state, for tests that read it. */
  readonly state: {
    idFromName(): null
    get(): { fetch(url: string, init: RequestInit): Promise<Response> }
  }
  /** Lists the keys in KV. */
  readonly kvKeys: () => readonly string[]
  readonly process: ServerProcess
  end(): Promise<void>
}

export type CloudflareServerOptions = {
  /** Secrets, as a person sets them before the deployment. */
  readonly env?: Readonly<Record<string, string>>
  /** Number of isolates that run the worker. Default: 1. */
  readonly isolates?: number
  /** Age of the values that KV returns, in milliseconds. Default: 0. */
  readonly kvDelayMs?: number
  /** Returns true for a host that is routed to the worker. Default: all are. */
  readonly isRouted?: (origin: string) => boolean
}

type Binding = { readonly type: string; readonly value?: string; readonly exportName?: string }

type WorkerConfig = {
  readonly name: string
  readonly compatibilityDate: string
  readonly compatibilityFlags?: readonly string[]
  readonly assets: { readonly runWorkerFirst: readonly string[]; readonly htmlHandling: string }
  readonly env: Readonly<Record<string, Binding>>
  readonly exports?: Readonly<Record<string, { readonly type: string; readonly storage: string }>>
  readonly manifest: {
    readonly mainModule: string
    readonly modules: Readonly<Record<string, { readonly type: string }>>
  }
}

/** Starts the Build Output of an app. */
export async function startCloudflare(
  root: string,
  { env = {}, isolates = 1, kvDelayMs = 0, isRouted = () => true }: CloudflareServerOptions = {},
): Promise<CloudflareServer> {
  const folder = join(root, '.cloudflare/output/v1/workers/default')
  const config: WorkerConfig = JSON.parse(readFileSync(join(folder, 'worker.config.json'), 'utf8'))
  const assets = createAssetServer(join(folder, 'assets'))
  const binding = await listen((req, res) => assets.send(pathnameOf(req), req, res))
  const kv = createKvServer(kvDelayMs)
  const kvServer = await listen(kv.respond)
  const storage = mkdtempSync(join(tmpdir(), 'waymark-storage-'))
  const file = join(folder, 'emulator.capnp')
  const secrets = Object.keys(env)
  const ports = { assets: binding.port, kv: kvServer.port }
  writeFileSync(file, capnpConfig(config, { isolates, secrets, storage, ports }))
  const workerd = await startServer({
    program: findWorkerd(),
    args: ['serve', '--experimental', file, '--control-fd=1'],
    cwd: root,
    env: appEnv(env),
    listening: '"socket":"state"',
    startWithinMs: 60_000,
  })
  const workerPorts = [...workerd.logs().matchAll(/"socket":"http\d+","port":(\d+)/g)].map(
    ([, port]) => Number(port),
  )
  const statePort = /"socket":"state","port":(\d+)/.exec(workerd.logs())?.[1]
  const routers = await Promise.all(
    workerPorts.map((port) => listen(createRouter({ config, assets, port, isRouted }))),
  )
  const [first = '', ...others] = routers.map((router) => `http://localhost:${router.port}`)
  return {
    origins: [first, ...others],
    root,
    state: {
      idFromName: () => null,
      get: () => ({
        fetch: (url, init) => fetch(`http://127.0.0.1:${statePort}${new URL(url).pathname}`, init),
      }),
    },
    kvKeys: kv.keys,
    process: workerd,
    async end() {
      for (const server of [...routers, binding, kvServer]) server.close()
      await workerd.kill()
      rmSync(storage, { recursive: true, force: true })
    },
  }
}

type RouterOptions = {
  readonly config: WorkerConfig
  readonly assets: AssetServer
  /** Port at which workerd runs the worker. */
  readonly port: number
  readonly isRouted: (origin: string) => boolean
}

/** Emulates the router, which sends an asset or calls the worker. */
function createRouter({ config, assets, port, isRouted }: RouterOptions) {
  const rules = config.assets.runWorkerFirst
  const assetRules = rules.filter((rule) => rule.startsWith('!')).map((rule) => glob(rule.slice(1)))
  const workerRules = rules.filter((rule) => rule.startsWith('/')).map(glob)
  return (req: IncomingMessage, res: ServerResponse) => {
    const origin = `http://${req.headers.host}`
    if (!URL.canParse(origin) || !isRouted(origin)) return void res.writeHead(400).end()
    const pathname = pathnameOf(req)
    const isAsset = assetRules.some((rule) => rule.test(pathname))
    const isWorkers = workerRules.some((rule) => rule.test(pathname)) || !assets.has(pathname)
    if (isAsset || !isWorkers) assets.send(pathname, req, res)
    else callWorker(port, req, res)
  }
}

function callWorker(port: number, req: IncomingMessage, res: ServerResponse): void {
  const { method, url: path } = req
  const headers = { ...req.headers, 'cf-connecting-ip': req.socket.remoteAddress }
  const toWorker = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
    res.writeHead(response.statusCode ?? 502, response.rawHeaders)
    response.pipe(res)
    response.on('error', () => res.destroy())
  })
  toWorker.on('error', () => res.destroy())
  res.on('close', () => toWorker.destroy())
  req.pipe(toWorker)
}

type AssetServer = ReturnType<typeof createAssetServer>

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

/** Emulates the server for assets, with `htmlHandling: 'none'`. It ignores ranges. */
function createAssetServer(folder: string) {
  const rules = parseHeaders(readFileSync(join(folder, '_headers'), 'utf8'))
  const fileOf = (pathname: string) => join(folder, decodeURIComponent(pathname))
  const has = (pathname: string) => {
    const isConfiguration = ['/_headers', '/_redirects'].includes(pathname)
    const isOutside = /(?:^|\/|%2f)(?:\.|%2e){2}(?:\/|%2f|$)/i.test(pathname)
    if (isConfiguration || isOutside) return false
    const file = fileOf(pathname)
    return existsSync(file) && statSync(file).isFile()
  }

  function send(pathname: string, req: IncomingMessage, res: ServerResponse): void {
    if (!has(pathname)) return void res.writeHead(404).end()
    if (req.method !== 'GET' && req.method !== 'HEAD') return void res.writeHead(405).end()
    const canonical = pathname
      .split('/')
      .map((segment) => encodeURIComponent(decodeURIComponent(segment)))
      .join('/')
    if (canonical !== pathname) return void res.writeHead(307, { location: canonical }).end()
    const bytes = readFileSync(fileOf(pathname))
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`
    const type = types[extname(pathname)]
    const headers: Record<string, string> = {
      etag,
      'cache-control': 'public, max-age=0, must-revalidate',
      ...(type !== undefined && { 'content-type': type }),
    }
    for (const rule of rules) if (rule.path.test(pathname)) Object.assign(headers, rule.headers)
    const isCurrent = [etag, `W/${etag}`].includes(req.headers['if-none-match'] ?? '')
    res.writeHead(isCurrent ? 304 : 200, headers)
    res.end(isCurrent || req.method === 'HEAD' ? undefined : bytes)
  }

  return { has, send }
}

type KvVersion = { readonly atMs: number; readonly bytes: Buffer | null }

/** Emulates a KV namespace with the protocol that workerd speaks. */
function createKvServer(delayMs: number) {
  const versions = new Map<string, readonly KvVersion[]>()
  const write = (key: string, bytes: Buffer | null) =>
    versions.set(key, [...(versions.get(key) ?? []), { atMs: Date.now(), bytes }])

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const key = decodeURIComponent(pathnameOf(req).slice(1))
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    if (req.method === 'PUT') write(key, Buffer.concat(chunks))
    if (req.method === 'DELETE') write(key, null)
    if (req.method !== 'GET') return void res.end()
    const seen = versions.get(key)?.filter(({ atMs }) => atMs <= Date.now() - delayMs)
    const bytes = seen?.at(-1)?.bytes
    if (bytes) res.end(bytes)
    else res.writeHead(404).end()
  }

  return { respond, keys: () => [...versions.keys()] }
}

type HeaderRule = { readonly path: RegExp; readonly headers: Readonly<Record<string, string>> }

function parseHeaders(text: string): readonly HeaderRule[] {
  const rules: { path: RegExp; headers: Record<string, string> }[] = []
  for (const line of text.split('\n').map((each) => each.trim())) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.+)$/.exec(line) ?? []
    if (line.startsWith('/')) rules.push({ path: glob(line), headers: {} })
    else if (name) Object.assign(rules.at(-1)?.headers ?? {}, { [name.toLowerCase()]: value })
  }
  if (rules.length > 100)
    throw new Error(`_headers has ${rules.length} rules, but 100 are allowed.`)
  return rules
}

function glob(rule: string): RegExp {
  const parts = rule.split('*').map((part) => part.replaceAll(/[-/\\^$*+?.()|[\]{}]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}

function pathnameOf({ url = '/' }: IncomingMessage): string {
  return new URL(url, 'http://localhost').pathname
}

type EmulatedParts = {
  readonly isolates: number
  /** Names of the secrets that are set. Cloudflare doesn't bind others. */
  readonly secrets: readonly string[]
  /** Folder for the data of Durable Objects. */
  readonly storage: string
  readonly ports: { readonly assets: number; readonly kv: number }
}

/** Returns a configuration with which workerd runs a worker several times. */
function capnpConfig(
  config: WorkerConfig,
  { isolates, secrets, storage, ports }: EmulatedParts,
): string {
  const { manifest, compatibilityDate, compatibilityFlags = [] } = config
  const quote = (text: string) => JSON.stringify(text)
  const modules = Object.entries(manifest.modules)
    .sort(([name]) => (name === manifest.mainModule ? -1 : 1))
    .map(([name, { type }]) => {
      const kind = type === 'wasm' ? 'wasm' : 'esModule'
      return `(name = ${quote(name)}, ${kind} = embed ${quote(`bundle/${name}`)})`
    })
  // The first worker has the Durable Objects, and the others use them.
  const classes = Object.keys(config.exports ?? {})
  const objects = classes.map(
    (name) => `(className = ${quote(name)}, uniqueKey = ${quote(name)}, enableSql = true)`,
  )
  const bindingsOf = (index: number) =>
    Object.entries(config.env).flatMap(([name, binding]) => {
      switch (binding.type) {
        case 'kv':
          return `(name = ${quote(name)}, kvNamespace = "kv")`
        case 'durable-object': {
          const className = `className = ${quote(binding.exportName ?? '')}`
          const service = index === 0 ? '' : ', serviceName = "app0"'
          return `(name = ${quote(name)}, durableObjectNamespace = (${className}${service}))`
        }
        case 'assets':
          return `(name = ${quote(name)}, service = "assets")`
        case 'secret':
          if (!secrets.includes(name)) return []
          return `(name = ${quote(name)}, fromEnvironment = ${quote(name)})`
        case 'text':
          return `(name = ${quote(name)}, text = ${quote(binding.value ?? '')})`
        default:
          throw new Error(`The emulator has no binding of the type ${binding.type}.`)
      }
    })
  const indexes = Array.from({ length: isolates }, (_, index) => index)
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "assets", external = (address = "127.0.0.1:${ports.assets}", http = ())),
    (name = "kv", external = (address = "127.0.0.1:${ports.kv}", http = ())),
    (name = "disk", disk = (path = ${quote(storage)}, writable = true)),
    ${indexes.map((index) => `(name = "app${index}", worker = .app${index}),`).join('\n    ')}
    (name = "state", worker = .state),
  ],
  sockets = [
    ${indexes.map((index) => `(name = "http${index}", address = "127.0.0.1:0", http = (), service = "app${index}"),`).join('\n    ')}
    (name = "state", address = "127.0.0.1:0", http = (), service = "state"),
  ],
);
${indexes
  .map(
    (index) => `const app${index} :Workerd.Worker = (
  compatibilityDate = ${quote(compatibilityDate)},
  compatibilityFlags = [${compatibilityFlags.map(quote).join(', ')}],
  bindings = [
    ${bindingsOf(index).join(',\n    ')}
  ],
  ${index === 0 ? `durableObjectNamespaces = [${objects.join(', ')}],\n  durableObjectStorage = (localDisk = "disk"),` : ''}
  modules = [
    ${modules.join(',\n    ')}
  ],
);
`,
  )
  .join('')}const state :Workerd.Worker = (
  compatibilityDate = ${quote(compatibilityDate)},
  bindings = [(
    name = "STATE",
    durableObjectNamespace = (className = ${quote(classes[0] ?? '')}, serviceName = "app0"),
  )],
  modules = [(name = "state.js", esModule = ${quote(stateProgram)})],
);
`
}

// Passes requests of tests on to the Durable Object.
const stateProgram = `export default {
  fetch: (request, { STATE }) => STATE.get(STATE.idFromName('waymark')).fetch(request),
}`

async function listen(onRequest: (req: IncomingMessage, res: ServerResponse) => unknown) {
  const server = createServer(onRequest)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
