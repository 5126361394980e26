import { chmod, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { contentTypeOf } from '../../node/contentTypes.ts'
import { listFiles } from '../../node/listFiles.ts'
import { encodePathname } from '../../node/pathnames.ts'
import { buildLayout } from '../../shared/build.ts'
import { isPrivateBuild } from '../build/buildModule.ts'
import type { TargetBuild } from './target.ts'
import { configName, workerdConfig } from './workerdConfig.ts'

const entryId = 'virtual:waymark/worker'
const entryName = 'worker.js'
const chunksDir = 'chunks'
const worker = fileURLToPath(new URL('../../workerd/worker.js', import.meta.url))

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
