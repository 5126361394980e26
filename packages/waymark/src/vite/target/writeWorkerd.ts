import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin } from 'vite'
import { encodePathname, listFiles } from '../../node/static/manifest.ts'
import { contentTypeOf } from '../../node/static/mediaTypes.ts'
import { buildLayout } from '../../shared/buildManifest.ts'
import { isPrivateBuild } from '../build/buildModule.ts'
import { bundleProgram } from '../build/bundleProgram.ts'
import { ownFile, ownFolder } from '../config/ownFiles.ts'
import { serveVirtual } from '../config/virtualModule.ts'

/** A build for a runtime other than Node. */
export type TargetBuild = {
  /** Absolute. */
  readonly buildDir: string
  /** Variables of the app's `.env` files, which the app needs. */
  readonly envNames: readonly string[]
}

/**
 * Writes the files that another runtime needs, next to a build.
 * @returns the command that serves it, to be run in the app's folder
 */
export type WriteTarget = (build: TargetBuild) => Promise<string>

const entryId = 'virtual:waymark/worker'
const entryName = 'worker.js'
const chunksDir = 'chunks'

/**
 * Writes a worker beside a build, for Cloudflare's workerd: ES modules, and a configuration that
 * runs them with the files for browsers from a folder.
 */
export async function writeWorkerd({ buildDir, envNames }: TargetBuild): Promise<string> {
  const outDir = path.join(buildDir, 'workerd')
  await rm(outDir, { recursive: true, force: true })
  await bundleProgram({
    root: `${ownFolder}workerd`,
    input: { worker: entryId },
    outDir,
    output: { entryFileNames: entryName, chunkFileNames: `${chunksDir}/[name]-[hash].js` },
    plugins: [workerEntryPlugin(buildDir), workerDrawingPlugin()],
    // Modules of a worker have no URL; bundled CommonJS uses one to require Node's modules.
    define: { 'import.meta.url': JSON.stringify(`file:///${entryName}`) },
  })
  // The secret of a build is in its bundle.
  const isPrivate = await isPrivateBuild(path.join(buildDir, path.dirname(buildLayout.serverEntry)))
  if (isPrivate) await chmod(outDir, 0o700)
  const chunks = await readdir(path.join(outDir, chunksDir)).catch(() => [])
  const modules = [entryName, ...chunks.sort().map((name) => `${chunksDir}/${name}`)]
  await writeFile(path.join(outDir, configName), workerdConfig({ modules, envNames }))
  const folder = path.basename(buildDir)
  const files = `--directory-path assets=${folder}/${buildLayout.client}`
  return `workerd serve ${folder}/workerd/${configName} ${files}`
}

/** Generates the worker's entry: the built server, and which files there are. */
function workerEntryPlugin(buildDir: string): Plugin {
  return {
    name: 'waymark:worker-entry',
    ...serveVirtual(`${entryId}$`, () => {
      const server = JSON.stringify(path.join(buildDir, buildLayout.serverEntry))
      const files = JSON.stringify(filesOf(path.join(buildDir, buildLayout.client)))
      return `import * as app from ${server}
import { createWorker } from ${JSON.stringify(ownFile('workerd'))}
const { basePath, defaultHeaders, handle, register, isProxiedFile: isProxied } = app
const files = ${files}
const hasFile = (pathname) => Object.hasOwn(files, pathname)
app.attachBuilt({ findBuilt: () => null, hasNotFound: false, hasFile })
export default createWorker({ basePath, defaultHeaders, handle, register, isProxied, files })
`
    }),
  }
}

/**
 * Draws the images of `waymark/og` with WebAssembly: the machine code that Node loads can't be loaded
 * by a worker. Workers compile no code either, so that it is a module of the configuration.
 */
function workerDrawingPlugin(): Plugin {
  const prefix = '\0waymark:drawing:'
  const wasmFile = './takumi.wasm'
  return {
    name: 'waymark:worker-drawing',
    // Before Vite finds the package.
    enforce: 'pre',
    resolveId: {
      filter: { id: /^(?:@takumi-rs\/core|\.\/takumi\.wasm)$/ },
      async handler(id, importer) {
        if (id === wasmFile) return { id, external: true }
        // It has the same exports, but for those that start it.
        const bindings = await this.resolve('takumi-js/wasm/no-init', importer)
        return bindings && `${prefix}${bindings.id}`
      },
    },
    load: {
      filter: { id: new RegExp(`^${prefix}`) },
      async handler(id) {
        const bindings = id.slice(prefix.length)
        const wasm = await this.resolve('@takumi-rs/wasm/takumi_wasm_bg.wasm', bindings)
        if (!wasm) throw new Error(`takumi-js has no @takumi-rs/wasm beside it: ${bindings}.`)
        const fileName = path.posix.join(chunksDir, wasmFile)
        this.emitFile({ type: 'asset', fileName, source: await readFile(wasm.id) })
        return `import { initSync } from ${JSON.stringify(bindings)}
import module from '${wasmFile}'
initSync({ module })
export * from ${JSON.stringify(bindings)}
`
      },
    },
  }
}

/** Media types by the pathname of the URL, without the compressed siblings. */
function filesOf(folder: string): Record<string, string> {
  const files = listFiles(folder)
  const known = new Set(files)
  const isSibling = (file: string) => /\.(?:br|gz)$/.test(file) && known.has(file.slice(0, -3))
  const served = files.filter((file) => !isSibling(file))
  return Object.fromEntries(served.map((file) => [encodePathname(`/${file}`), contentTypeOf(file)]))
}

/** Name of the configuration, beside the worker's modules. */
export const configName = 'config.capnp'

/** The worker was tested with workerd's behaviour of this date; Node's modules are on by then. */
const compatibilityDate = '2026-11-01'

// The framework itself reads them, whatever `.env` files say.
const ownNames = ['WAYMARK_SECRET']

/**
 * The configuration that runs a worker: a service for it, one for the files, and a socket. An app
 * with a configuration of its own needs `app` only.
 * @param worker `modules` relative to the configuration, the entry first; `envNames` of the
 *   variables that the worker gets from the environment of its process
 */
export function workerdConfig(worker: {
  readonly modules: readonly string[]
  readonly envNames: readonly string[]
}): string {
  const names = [...new Set([...ownNames, ...worker.envNames])]
  const variables = names.map(
    (name) => `(name = ${quoted(name)}, fromEnvironment = ${quoted(name)})`,
  )
  const bindings = ['(name = "ASSETS", service = "assets")', ...variables]
  const modules = worker.modules.map(
    (name) =>
      `(name = ${quoted(name)}, ${name.endsWith('.wasm') ? 'wasm' : 'esModule'} = embed ${quoted(name)})`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "app", worker = .app),
    (name = "assets", disk = (allowDotfiles = true)),
  ],
  sockets = [(name = "http", address = "*:8080", http = (), service = "app")],
);

const app :Workerd.Worker = (
  compatibilityDate = "${compatibilityDate}",
  bindings = [
${lines(bindings)}
  ],
  modules = [
${lines(modules)}
  ],
);
`
}

const lines = (items: readonly string[]) => items.map((item) => `    ${item},`).join('\n')

// A Cap'n Proto text has the escapes of C, which JSON uses, too.
const quoted = (text: string) => JSON.stringify(text)
