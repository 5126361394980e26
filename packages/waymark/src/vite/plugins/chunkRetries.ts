import path from 'node:path'
import { normalizePath, type Plugin } from 'vite'
import { frameworkFile, frameworkFilePattern, frameworkFolder } from '../config/frameworkFiles.ts'
import { importExpressions, replaceImports } from '../config/importExpressions.ts'

// Name of the helper. It is as long as the word `import`, so that source maps stay valid.
const builtHelper = '$chunk'
const devHelper = '__waymark_import'

/**
 * Makes browsers load a build's chunks through `client/assets/importChunk.ts`, which retries failed
 * imports. Each `import(path)` of a different chunk becomes `$chunk(path)`.
 */
export function chunkImportsPlugin(): Plugin {
  return {
    name: 'waymark:chunk-retries',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    // Rolldown names chunks before the code is rewritten, so the helper must be part of the hash.
    augmentChunkHash: () => builtHelper,
    generateBundle: {
      // Vite must have listed each `import()` call's stylesheets first.
      order: 'post',
      async handler(_, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const receiver = chunks.find(({ moduleIds }) => hasModule(moduleIds, receiverPattern))
        if (!receiver) return
        const folder = path.posix.dirname(receiver.fileName)
        const shared = new Set(chunks.flatMap(({ imports }) => imports))
        const isRepeated = (fileName: string) => {
          const chunk = bundle[path.posix.join(folder, fileName)]
          // A chunk without exports looks the same as a file that was cut off, so don't retry it.
          if (chunk?.type !== 'chunk' || chunk.exports.length === 0) return false
          // A retry uses a different URL, which creates a second instance of the chunk. If other
          // chunks import it, too, the page would have two copies of React or of a context.
          return !shared.has(chunk.fileName) && !hasModule(chunk.moduleIds, retriesPattern)
        }
        for (const chunk of chunks) {
          // The paths are relative, so only rewrite chunks in the same folder.
          if (path.posix.dirname(chunk.fileName) !== folder || !chunk.code.includes('import(')) {
            continue
          }
          const definesHelper = chunk === receiver
          chunk.code =
            (await renameImports(chunk.code, { isRepeated, definesHelper })) ?? chunk.code
        }
      },
    },
  }
}

const receiverPattern = frameworkFilePattern('chunkImports')
const retriesPattern = frameworkFilePattern('retryImport')

function hasModule(ids: readonly string[], pattern: RegExp): boolean {
  return ids.some((id) => pattern.test(id))
}

type RenameOptions = {
  /** Returns true for paths of chunks that are loaded with retries. */
  readonly isRepeated: (path: string) => boolean
  /** True for the chunk that defines the helper on `window`. */
  readonly definesHelper: boolean
}

/** @returns `null` if the code contains no such `import()`, or already uses the helper's name */
export async function renameImports(
  code: string,
  { isRepeated, definesHelper }: RenameOptions,
): Promise<string | null> {
  if (!definesHelper && code.includes(builtHelper)) return null
  const imports = await importExpressions(code)
  const ofChunks = imports.filter(
    ({ start, source }) =>
      source.startsWith('./') && code.startsWith('import(', start) && isRepeated(source),
  )
  return replaceImports(code, ofChunks, (load) => builtHelper + load.slice('import'.length))
}

// Matches imports of the app's own files. Vite rewrites an `import()` of a CommonJS package
// differently, so packages are left out.
const appSources = /^(?:[./#~]|@\/)/

// Matches a worker's entry. A classic worker supports neither `import` nor `import.meta`.
const workerFiles = /[?&]worker_file\b/

/**
 * Gives each `import()` in the app's client code the same deadline and retries in the dev server as
 * in a build.
 */
export function devImportsPlugin(): Plugin {
  let root = ''
  return {
    name: 'waymark:dev-chunk-retries',
    apply: 'serve',
    applyToEnvironment: ({ name }) => name === 'client',
    configResolved(config) {
      root = `${normalizePath(config.root)}/`
    },
    transform: {
      filter: {
        id: { exclude: [`${frameworkFolder}**`, /\/node_modules\/|\0/, workerFiles] },
        code: /\bimport\(/,
      },
      async handler(code, id) {
        if (!id.startsWith(root)) return null
        const wrapped = await wrapImports(code, async (source) => {
          const file = (await this.resolve(source, id))?.id
          return file?.startsWith(root) ? file.slice(root.length) : null
        })
        return wrapped === null ? null : { code: wrapped, map: null }
      },
    },
  }
}

/**
 * @param pathOf returns a module's path relative to the app's root, or `null` for a module outside
 *   the root
 */
export async function wrapImports(
  code: string,
  pathOf: (source: string) => Promise<string | null>,
): Promise<string | null> {
  const appImports = (await importExpressions(code)).filter(({ source }) => appSources.test(source))
  const urls = new Map<string, string>()
  for (const { source } of appImports) {
    const file = await pathOf(source)
    urls.set(source, file === null ? 'null' : `import.meta.env.BASE_URL + ${JSON.stringify(file)}`)
  }
  const write = (load: string, source: string) => `${devHelper}(${urls.get(source)}, ${load})`
  const wrapped = replaceImports(code, appImports, write)
  const line = `import { importChunk as ${devHelper} } from ${JSON.stringify(frameworkFile('importChunk'))}`
  return wrapped === null ? null : `${wrapped}\n${line}\n`
}
