import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'vite'
import { findWorkerd } from '../../../../e2e/harness/hostPrograms.ts'
import type { KvNamespace } from '../kvCacheDriver.ts'
import type { ObjectNamespace } from '../stateClient.ts'

/** workerd with the Durable Object `WaymarkState`. */
export type StateServer = {
  /** Returns the binding of an object. Each name is an object of its own. */
  namespace(name: string): ObjectNamespace
  stop(): Promise<void>
}

// Passes each request to the object that the URL's first segment names.
const program = `export { WaymarkState } from ${JSON.stringify(path.join(import.meta.dirname, '../stateObject.ts'))}
export default {
  fetch(request, { STATE }) {
    const url = new URL(request.url)
    const [, name, ...rest] = url.pathname.split('/')
    const object = STATE.get(STATE.idFromName(name))
    return object.fetch(new Request(new URL('/' + rest.join('/'), url), request))
  },
}
`

const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "app", worker = .app),
    (name = "disk", disk = (path = "storage", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "app")],
);
const app :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  bindings = [(name = "STATE", durableObjectNamespace = "WaymarkState")],
  durableObjectNamespaces = [
    (className = "WaymarkState", uniqueKey = "state", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "disk"),
);
`

/** Starts workerd with the Durable Object, whose database is on the disk. */
export async function startStateServer(): Promise<StateServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-state-'))
  writeFileSync(path.join(folder, 'worker.js'), await bundle())
  writeFileSync(path.join(folder, 'config.capnp'), config)
  mkdirSync(path.join(folder, 'storage'))
  const child = spawn(findWorkerd(), ['serve', 'config.capnp', '--control-fd=1'], { cwd: folder })
  const port = await readPort(child)
  return {
    namespace: (name) => ({
      idFromName: () => name,
      get: () => ({
        fetch(url, init) {
          const { pathname } = new URL(url)
          return fetch(`http://127.0.0.1:${port}/${name}${pathname}`, init)
        },
      }),
    }),
    async stop() {
      const ended = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function bundle(): Promise<string> {
  const id = 'virtual:state-server'
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { ssr: true, write: false, rolldownOptions: { input: id } },
    plugins: [
      {
        name: 'state-server',
        resolveId: (source) => (source === id ? `${id}.js` : null),
        load: (source) => (source === `${id}.js` ? program : null),
      },
    ],
  })
  // Without watching, and with one format, there is one output.
  if (Array.isArray(built) || !('output' in built)) throw new Error('Vite built several outputs.')
  return built.output[0].code
}

function readPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = ''
    const read = (bytes: Buffer) => {
      text += bytes
      const [, port] = /"port":(\d+)/.exec(text) ?? []
      if (port !== undefined) resolve(Number(port))
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('close', () => reject(new Error(`workerd ended:\n${text}`)))
  })
}

/** Emulates a KV namespace. `delayMs` is the age of the values that it returns. */
export function createKvEmulator(delayMs = 0): KvNamespace & { readonly size: () => number } {
  const versions = new Map<string, { readonly atMs: number; readonly bytes: Uint8Array | null }[]>()
  const write = (key: string, bytes: Uint8Array | null) => {
    const list = versions.get(key) ?? []
    versions.set(key, [...list, { atMs: Date.now(), bytes }])
  }
  return {
    size: () => versions.size,
    async get(key) {
      const seen = versions.get(key)?.filter(({ atMs }) => atMs <= Date.now() - delayMs)
      const bytes = seen?.at(-1)?.bytes
      return bytes ? new Uint8Array(bytes).buffer : null
    },
    async put(key, value, { expirationTtl }) {
      if (key === '' || Buffer.byteLength(key) > 512) throw new Error('KV refuses this key.')
      if (expirationTtl < 60) throw new Error('KV refuses this expiry.')
      write(key, new Uint8Array(value))
    },
    async delete(key) {
      write(key, null)
    },
  }
}
