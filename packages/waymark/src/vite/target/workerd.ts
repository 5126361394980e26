import { readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { contentTypeOf } from '../../node/contentTypes.ts'
import { listFiles } from '../../node/listFiles.ts'
import { encodePathname } from '../../node/pathnames.ts'
import { buildLayout } from '../../shared/build.ts'

const ownFile = (name: string) =>
  fileURLToPath(new URL(`../../workerd/${name}.js`, import.meta.url))
const entryId = 'virtual:waymark/worker'

/** The date whose behaviour of workerd the worker was tried with. */
const compatibilityDate = '2026-11-01'

/**
 * Writes a worker beside a build, for Cloudflare's workerd: ES modules, and a configuration that
 * runs them with the files for browsers from a folder.
 * @param buildDir absolute
 * @returns the folder
 */
export async function writeWorkerd(buildDir: string): Promise<string> {
  const outDir = path.join(buildDir, 'workerd')
  await rm(outDir, { recursive: true, force: true })
  await build({
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'error',
    root: path.dirname(ownFile('worker')),
    plugins: [workerPlugin(buildDir)],
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: { worker: entryId },
        experimental: { attachDebugInfo: 'none' },
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
    ssr: { noExternal: true },
  })
  await writeFile(path.join(outDir, 'config.capnp'), await configText(outDir))
  return outDir
}

/** Generates the worker's entry, and puts our stand-in in place of `node:module`. */
function workerPlugin(buildDir: string): Plugin {
  return {
    name: 'waymark:workerd',
    enforce: 'pre',
    resolveId(source) {
      if (source === entryId) return `\0${entryId}`
      return source === 'node:module' ? ownFile('requireBuiltins') : null
    },
    load(id) {
      if (id !== `\0${entryId}`) return null
      const server = JSON.stringify(path.join(buildDir, buildLayout.serverEntry))
      return `import { defaultHeaders, handle } from ${server}
import { createWorker } from ${JSON.stringify(ownFile('worker'))}
export default createWorker({ defaultHeaders, handle, files: ${JSON.stringify(filesOf(buildDir))} })
`
    },
  }
}

function filesOf(buildDir: string): Record<string, string> {
  const files = listFiles(path.join(buildDir, buildLayout.client))
  const served = files.filter((file) => !/\.(?:br|gz|zst)$/.test(file))
  return Object.fromEntries(served.map((file) => [encodePathname(`/${file}`), contentTypeOf(file)]))
}

async function configText(outDir: string): Promise<string> {
  const names = await readdir(path.join(outDir, 'chunks'))
  const modules = ['worker.js', ...names.sort().map((name) => `chunks/${name}`)]
  const lines = modules.map((name) => `    (name = "${name}", esModule = embed "${name}"),`)
  return `using Workerd = import "/workerd/workerd.capnp";

# workerd serve config.capnp --directory-path assets=../client --socket-addr http=*:8080
const config :Workerd.Config = (
  services = [
    (name = "app", worker = .app),
    (name = "assets", disk = (writable = false)),
  ],
  sockets = [(name = "http", http = (), service = "app")],
);

const app :Workerd.Worker = (
  compatibilityDate = "${compatibilityDate}",
  compatibilityFlags = ["nodejs_compat"],
  bindings = [
    (name = "ASSETS", service = "assets"),
    (name = "WAYMARK_SECRET", fromEnvironment = "WAYMARK_SECRET"),
  ],
  modules = [
${lines.join('\n')}
  ],
);
`
}
