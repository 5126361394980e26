import { chmod, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { encodePathname, listFiles } from '../../node/static/manifest.ts'
import { contentTypeOf } from '../../node/static/mediaTypes.ts'
import { buildLayout } from '../../shared/buildManifest.ts'
import { isPrivateBuild } from '../build/buildModule.ts'
import type { TargetBuild } from './target.ts'

const entryId = 'virtual:waymark/worker'
const entryName = 'worker.js'
const chunksDir = 'chunks'
const worker = fileURLToPath(new URL('../../workerd/workerd.js', import.meta.url))

/**
 * Writes a worker beside a build, for Cloudflare's workerd: ES modules, and a configuration that
 * runs them with the files for browsers from a folder.
 */
export async function writeWorkerd({ buildDir, envNames }: TargetBuild): Promise<string> {
  const outDir = path.join(buildDir, 'workerd')
  await rm(outDir, { recursive: true, force: true })
  await bundleWorker(buildDir, outDir)
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

async function bundleWorker(buildDir: string, outDir: string): Promise<void> {
  await build({
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'error',
    root: path.dirname(worker),
    plugins: [workerEntryPlugin(buildDir)],
    // Modules of a worker have no URL; bundled CommonJS asks for one, to require Node's modules.
    define: { 'import.meta.url': JSON.stringify(`file:///${entryName}`) },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: { worker: entryId },
        experimental: { attachDebugInfo: 'none' },
        output: { entryFileNames: entryName, chunkFileNames: `${chunksDir}/[name]-[hash].js` },
      },
    },
    ssr: { noExternal: true },
  })
}

/** Generates the worker's entry: the built server, and which files there are. */
function workerEntryPlugin(buildDir: string): Plugin {
  const id = `\0${entryId}`
  return {
    name: 'waymark:worker-entry',
    resolveId: (source) => (source === entryId ? id : null),
    load(asked) {
      if (asked !== id) return null
      const server = JSON.stringify(path.join(buildDir, buildLayout.serverEntry))
      const files = JSON.stringify(filesOf(path.join(buildDir, buildLayout.client)))
      return `import { defaultHeaders, handle, register } from ${server}
import { createWorker } from ${JSON.stringify(worker)}
export default createWorker({ defaultHeaders, handle, register, files: ${files} })
`
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

/** The date whose behaviour of workerd the worker was tried with; Node's modules are on by then. */
const compatibilityDate = '2026-11-01'

// Read by the framework itself, whatever `.env` files say.
const ownNames = ['WAYMARK_SECRET']

/**
 * The configuration that runs a worker: a service for it, one for the files, and a socket. An app
 * with a configuration of its own takes over `app` alone.
 * @param parts `modules` relative to the configuration, the entry first; `envNames` of the
 *   variables that the worker gets from the environment of its process
 */
export function workerdConfig(parts: {
  readonly modules: readonly string[]
  readonly envNames: readonly string[]
}): string {
  const names = [...new Set([...ownNames, ...parts.envNames])]
  const variables = names.map(
    (name) => `(name = ${quoted(name)}, fromEnvironment = ${quoted(name)})`,
  )
  const bindings = ['(name = "ASSETS", service = "assets")', ...variables]
  const modules = parts.modules.map(
    (name) => `(name = ${quoted(name)}, esModule = embed ${quoted(name)})`,
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

function lines(items: readonly string[]): string {
  return items.map((item) => `    ${item},`).join('\n')
}

// A Cap'n Proto text has the escapes of C.
function quoted(text: string): string {
  return JSON.stringify(text)
}
