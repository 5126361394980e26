import { chmod, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin } from 'vite'
import type { AppBuild } from 'waymark/adapter'

const entryName = 'worker.js'
const chunksDir = 'chunks'

/**
 * The worker's compatibility date: the worker was tested with workerd's behaviour on this date.
 * Node's modules are enabled by default as of this date.
 */
export const compatibilityDate = '2026-11-01'

/**
 * Returns the names of the variables to pass to a worker: the app's own, and those that the
 * framework reads even if they aren't in any `.env` file.
 */
export function environmentNames(envNames: readonly string[]): readonly string[] {
  return [...new Set(['WAYMARK_SECRET', ...envNames])]
}

/** A worker to bundle. */
export type WorkerProgram = {
  /** Source of the entry, with imports of absolute paths. */
  readonly code: string
  /** Folder from which the entry's imports are resolved. */
  readonly root: string
  /** Folder for the modules. It is emptied first. */
  readonly outDir: string
}

/**
 * Bundles a worker as modules.
 * @returns the paths of the modules relative to `outDir`, with the entry first
 */
export async function bundleWorker(
  build: AppBuild,
  { code, root, outDir }: WorkerProgram,
): Promise<readonly string[]> {
  await rm(outDir, { recursive: true, force: true })
  await build.bundle({
    root,
    code,
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
  return [entryName, ...chunks.sort().map((name) => `${chunksDir}/${name}`)]
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
