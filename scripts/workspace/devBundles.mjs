/**
 * Bundles what the dev server runs of the framework into a few files, beside the modules that
 * `tsc` wrote: a dev server handles each module by itself, in each environment, and a browser
 * asks for each one. Builds read the modules, which tell more to a tree shaker.
 * `npm run build -w waymark` runs it after `tsc`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { moduleRunnerTransform } from 'vite'
import { root } from './paths.mjs'

const dist = path.join(root, 'packages/waymark/dist')
const target = path.join(dist, 'dev')
rmSync(target, { recursive: true, force: true })

const publicFiles = ['index.js', 'client.js', 'pluginClient.js']
// Public parts whose file has another name than the part.
const renamed = new Map([
  ['pluginClient.js', 'plugin/client'],
  ['pluginServer.js', 'plugin/server'],
])
const isClient = /^['"]use client['"]/
const clientFiles = filesBelow(dist).filter((file) => isClient.test(readText(file)))

// The browser, and what renders client components to HTML: the same files, two entries.
await bundle('browser', [
  'client/browserEntry.js',
  // The modules that replace `import()` and `lazy` in the app's code.
  'client/assets/importChunk.js',
  'client/assets/lazy.js',
  'ssr/ssrEntry.js',
  ...publicFiles,
  ...clientFiles,
])
await bundle('server', [
  'rsc/rscEntry.js',
  // A bundle of its own, since it has an AsyncLocalStorage, and each edit evaluates the entry again.
  'rsc/page/guard.js',
  'rsc/page/reactDom.js',
  'rsc/action/boundArgs.js',
  'rsc/cache/cached.js',
  'server.js',
  'adapter.js',
  'pluginServer.js',
  ...publicFiles,
])

/**
 * @param {'browser' | 'server'} side
 * @param {readonly string[]} files from `dist`
 */
async function bundle(side, files) {
  const input = Object.fromEntries(
    files.map((file) => [renamed.get(file) ?? file.replace(/\.js$/, ''), path.join(dist, file)]),
  )
  const build = await rolldown({
    input,
    platform: 'neutral',
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
    plugins: side === 'server' ? [clientFilesOutside(), rawFiles()] : [],
    treeshake: { moduleSideEffects: true },
    onLog(level, log, handle) {
      // That client files have kept their directive is checked below.
      if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log)
    },
  })
  const dir = path.join(target, side)
  const { output } = await build.write({ dir, chunkFileNames: 'chunks/[name]-[hash].js' })
  await build.close()
  const plain = output.find(
    (file) =>
      file.type === 'chunk' && clientFiles.includes(file.fileName) && !isClient.test(file.code),
  )
  if (plain) throw new Error(`dist/dev/${side}/${plain.fileName} has lost its 'use client'.`)
  for (const file of output) if (file.type === 'chunk') await writeForRunner(side, file)
}

/**
 * Writes a file as Vite's module runner evaluates it, for the dev server's two environments on the
 * server (`vite/internals/pretransformed.ts`).
 * @param {string} side
 * @param {import('rolldown').OutputChunk} file
 */
async function writeForRunner(side, { fileName, code }) {
  const written = path.join(target, 'runner', side, fileName)
  const transformed = await moduleRunnerTransform(code, null, fileName, code)
  if (!transformed) throw new Error(`dist/dev/${side}/${fileName} can't be transformed.`)
  mkdirSync(path.dirname(written), { recursive: true })
  writeFileSync(written, transformed.code)
}

/**
 * On the server, client components are references to their files in the browser's bundle.
 * @returns {import('rolldown').Plugin}
 */
function clientFilesOutside() {
  const outside = new Map(
    clientFiles.map((file) => [path.join(dist, file), `waymark/internal/dev/${file}`]),
  )
  return {
    name: 'client-files-outside',
    resolveId(source, importer) {
      if (!importer || !source.startsWith('.')) return null
      const id = outside.get(path.resolve(path.dirname(importer), source))
      return id ? { id, external: true } : null
    },
  }
}

/**
 * Texts of files, as Vite imports them.
 * @returns {import('rolldown').Plugin}
 */
function rawFiles() {
  return {
    name: 'raw-files',
    resolveId(source, importer) {
      if (!importer || !source.endsWith('?raw')) return null
      return path.resolve(path.dirname(importer), source)
    },
    load(id) {
      if (!id.endsWith('?raw')) return null
      return `export default ${JSON.stringify(readFileSync(id.slice(0, -'?raw'.length), 'utf8'))}`
    },
  }
}

/** @param {string} folder */
function filesBelow(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.js') && !name.startsWith('dev'))
}

/** @param {string} file */
function readText(file) {
  return readFileSync(path.join(dist, file), 'utf8')
}
