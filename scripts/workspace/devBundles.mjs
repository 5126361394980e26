/**
 * Bundles the framework's modules for the dev server into a few files, next to the modules that
 * `tsc` wrote. Without these bundles, a dev server would process each module separately in each
 * environment, and a browser would request each one. Production builds read the single modules,
 * because a bundler can tree-shake them better. `npm run build -w waymark` runs this script after
 * `tsc`.
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
// Public entries whose source file has a different name.
const renamed = new Map([
  ['pluginClient.js', 'plugin/client'],
  ['pluginServer.js', 'plugin/server'],
])
const isClient = /^['"]use client['"]/
const clientFiles = filesBelow(dist).filter((file) => isClient.test(readText(file)))

// Bundle code for the browser together with code that renders client components to HTML, because
// both use the same files.
await bundle('browser', [
  'client/browserEntry.js',
  // Include the modules that replace `import()` and `lazy` in the app's code.
  'client/assets/importChunk.js',
  'client/assets/lazy.js',
  'ssr/ssrEntry.js',
  ...publicFiles,
  ...clientFiles,
])
await bundle('server', [
  'rsc/rscEntry.js',
  // Bundle the guard separately, because its AsyncLocalStorage must stay the same when an edit
  // makes the entry run again.
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
 * @param {readonly string[]} files paths in `dist`
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
      // Ignore warnings about lost directives, because this script itself checks that client files
      // have kept their directive.
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
 * Writes a file in the form that Vite's module runner evaluates. Two environments of the dev server
 * use this form, because their code runs on the server (`vite/internals/pretransformed.ts`).
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
 * Replaces client components on the server with references to their files in the browser's bundle.
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
 * Loads `?raw` imports as text, as Vite does.
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
