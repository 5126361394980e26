import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import type { Adapter, AppBuild } from 'waymark/adapter'

const entryName = 'worker.js'
const chunksDir = 'chunks'

/**
 * Returns the adapter for workerd. The adapter writes the worker as ES modules, and a configuration
 * that serves the build's files and prerendered pages from their folders.
 */
export function workerd(): Adapter {
  return {
    name: 'workerd',
    lacks: ['sockets', 'images', 'sharedState'],
    async write(build) {
      const { buildDir, envNames } = build
      const outDir = path.join(buildDir, 'workerd')
      await rm(outDir, { recursive: true, force: true })
      await build.bundle({
        root: path.dirname(workerFile),
        code: workerCode(build),
        outDir,
        output: { entryFileNames: entryName, chunkFileNames: `${chunksDir}/[name]-[hash].js` },
        plugins: [workerDrawingPlugin()],
        // Define a URL for the module, because modules in a worker have no URL, but bundled
        // CommonJS needs a URL to require Node's modules.
        define: { 'import.meta.url': JSON.stringify(`file:///${entryName}`) },
      })
      // Close the folder to other users, because the bundle contains the build's secret.
      if (await build.isPrivate()) await chmod(outDir, 0o700)
      const chunks = await readdir(path.join(outDir, chunksDir)).catch(() => [])
      const modules = [entryName, ...chunks.sort().map((name) => `${chunksDir}/${name}`)]
      await writeFile(path.join(outDir, configName), workerdConfig({ modules, envNames }))
      const folder = path.basename(buildDir)
      const command = [
        `workerd serve ${folder}/workerd/${configName}`,
        `--directory-path assets=${folder}/client --directory-path pages=${folder}/prerendered`,
      ].join(' ')
      return { serve: { command } }
    },
  }
}

const workerFile = fileURLToPath(new URL('./worker.js', import.meta.url))

/**
 * Returns the code of the worker's entry, which contains the built server, and the build's contents
 * as data.
 */
function workerCode({ server, contents }: AppBuild): string {
  return `import * as server from ${JSON.stringify(server)}
import { createWorker } from ${JSON.stringify(workerFile)}
const contents = JSON.parse(${JSON.stringify(JSON.stringify(contents()))})
export default createWorker({ server, contents })
`
}

/**
 * Draws cards with WebAssembly, because a worker can't load the native code that Node uses. Workers
 * can't compile WebAssembly at run time, either, so the configuration lists the WebAssembly file as
 * a module.
 */
function workerDrawingPlugin(): Plugin {
  const prefix = '\0waymark:drawing:'
  const wasmFile = './takumi.wasm'
  return {
    name: 'waymark:worker-drawing',
    // Run this plugin before Vite resolves the package.
    enforce: 'pre',
    resolveId: {
      filter: { id: /^(?:@takumi-rs\/core|\.\/takumi\.wasm)$/ },
      async handler(id, importer) {
        if (id === wasmFile) return { id, external: true }
        // Resolve takumi-js's entry for WebAssembly. It has the same exports, except for the
        // functions that initialise the native code.
        const bindings = await this.resolve('takumi-js/wasm/no-init', importer)
        return bindings && `${prefix}${bindings.id}`
      },
    },
    load: {
      filter: { id: new RegExp(`^${prefix}`) },
      async handler(id) {
        const bindings = id.slice(prefix.length)
        const wasm = await this.resolve('@takumi-rs/wasm/takumi_wasm_bg.wasm', bindings)
        if (!wasm)
          throw new Error(
            `@takumi-rs/wasm was not found from ${bindings}. Install the app's packages again.`,
          )
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

/** Name of the configuration file, which is in the same folder as the worker's modules. */
export const configName = 'config.capnp'

/**
 * The worker's compatibility date: the worker was tested with workerd's behaviour on this date.
 * Node's modules are enabled by default as of this date.
 */
const compatibilityDate = '2026-11-01'

// Variables that the framework reads, even if they aren't in any `.env` file.
const frameworkEnvNames = ['WAYMARK_SECRET']

/**
 * Returns a configuration that runs a worker. The configuration defines the worker, services for
 * the build's files and prerendered pages, and a socket. An app that has its own configuration
 * needs only the constant `app`.
 * @param worker `modules`: paths of the modules relative to the configuration, with the entry
 * first. `envNames`: names of the environment variables that are passed to the worker.
 */
export function workerdConfig(worker: {
  readonly modules: readonly string[]
  readonly envNames: readonly string[]
}): string {
  const names = [...new Set([...frameworkEnvNames, ...worker.envNames])]
  const variables = names.map(
    (name) => `(name = ${quoted(name)}, fromEnvironment = ${quoted(name)})`,
  )
  const bindings = [
    '(name = "ASSETS", service = "assets")',
    '(name = "PAGES", service = "pages")',
    ...variables,
  ]
  const modules = worker.modules.map(
    (name) =>
      `(name = ${quoted(name)}, ${name.endsWith('.wasm') ? 'wasm' : 'esModule'} = embed ${quoted(name)})`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "app", worker = .app),
    (name = "assets", disk = (allowDotfiles = true)),
    (name = "pages", disk = (allowDotfiles = true)),
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

// Quote strings as JSON. Strings in Cap'n Proto use C's escapes, and JSON's escapes are a subset of
// them.
const quoted = (text: string) => JSON.stringify(text)
