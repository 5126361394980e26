import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import {
  type DevEnvironment,
  type EnvironmentModuleNode,
  normalizePath,
  type Plugin,
  type TransformResult,
} from 'vite'
import { ssrImportKey, ssrImportMetaKey } from 'vite/module-runner'
import { entries } from '../config/environments.ts'
import { frameworkFolder } from '../config/frameworkFiles.ts'

/**
 * Serves the framework's bundles in the form into which they were transformed when this package was
 * built. Transforming them at each start would take a second.
 */
export function pretransformedPlugin(): Plugin {
  return {
    name: 'waymark:pretransformed',
    enforce: 'pre',
    apply: 'serve',
    resolveId: {
      order: 'pre',
      filter: { id: /^\/.*\/dist\/dev\/[\w/-]+\.js$/ },
      // Vite would add a version to the URL of a file in `node_modules`, so resolve the file here.
      handler(url) {
        const { config } = this.environment
        if (config.consumer !== 'server') return null
        return (
          [url.replace(/^\/@fs\/?(?=\/|\w:)/, ''), config.root + url].find(isPretransformed) ?? null
        )
      },
    },
  }
}

const folder = `${frameworkFolder}dev/`

/** True for a file of the framework's bundles for the dev server. */
export function isPretransformed(file: string): boolean {
  return file.startsWith(folder)
}

export async function loadPretransformed(
  environment: DevEnvironment,
  url: string,
): Promise<TransformResult | null> {
  // In the rsc environment, the browser's files are only references, so use the server's variant.
  const side = environment.name === 'rsc' ? 'server' : 'browser'
  if (!url.includes('/dist/') || !existsSync(`${folder}runner/${side}`)) return null
  const node = await environment.moduleGraph.ensureEntryFromUrl(url)
  if (!node.id?.startsWith(`${folder}${side}/`)) return null
  const result = node.transformResult ?? reuseResult(environment, node)
  return result ?? readTransformed(environment, node, node.id)
}

/**
 * Returns a module's result from before an edit if the edit only changed modules that it imports.
 * After each edit, Vite invalidates all importers of the changed file, up to the framework's entry.
 * Reading the entry again and resolving its imports would take a third of the processor time of the
 * edit.
 */
export function reuseResult(
  { moduleGraph }: DevEnvironment,
  node: EnvironmentModuleNode,
): TransformResult | null {
  // Vite keeps the earlier result in this field, which isn't in its types. If the module itself is
  // invalid, or if Vite renames the field, the file is read again.
  const invalidated = node as EnvironmentModuleNode & { invalidationState?: unknown }
  const earlier = invalidated.invalidationState
  invalidated.invalidationState = undefined
  if (typeof earlier !== 'object' || earlier === null) return null
  const result = earlier as TransformResult
  moduleGraph.updateModuleTransformResult(node, result)
  return result
}

const importedId = new RegExp(`(?<=await ${ssrImportKey}\\()"[^"]+"`, 'g')

async function readTransformed(
  environment: DevEnvironment,
  node: EnvironmentModuleNode,
  file: string,
) {
  const text = await readFile(`${folder}runner/${file.slice(folder.length)}`, 'utf8')
  const ids = [...text.matchAll(importedId)].map(([quoted]) => JSON.parse(quoted) as string)
  const urls = new Map(
    await Promise.all(
      ids.map(async (each) => [each, await urlOf(environment, each, file)] as const),
    ),
  )
  const code = text.replace(importedId, (quoted) => {
    const source = JSON.parse(quoted)
    const url = urls.get(source) ?? null
    // Vite encodes ids that aren't paths in this way.
    const wrapped = url?.startsWith('/') ? url : url && `/@id/${url.replace('\0', '__x00__')}`
    return JSON.stringify(wrapped ?? source)
  })
  const { env: variables, define = {} } = environment.config
  const defines = ['WAYMARK_BASE_PATH', 'WAYMARK_TRAILING_SLASH'].map((name) => [
    name,
    JSON.parse(define[`import.meta.env.${name}`] ?? 'null'),
  ])
  const env = { ...variables, SSR: true, ...Object.fromEntries(defines) }
  const meta = `Object.assign(${ssrImportMetaKey}, { env: ${JSON.stringify(env)}, ${loadModule} });`
  const imported = new Set([...urls.values()].filter((url) => url !== null))
  const none = new Set<string>()
  const { moduleGraph } = environment
  await moduleGraph.updateModuleInfo(node, imported, null, none, null, false, imported)
  const result = {
    // Encode white space as Vite does: a line break would end the comment.
    code: `${meta}${code}\n//# sourceURL=${file.replace(/\s/g, encodeURIComponent)}`,
    map: null,
    ssr: true,
    deps: [...imported],
  }
  moduleGraph.updateModuleTransformResult(node, result)
  return result
}

// Code that plugin-rsc writes for `import.meta.viteRsc.loadModule`.
const loadModule = `viteRsc: { loadModule: (name) => globalThis.__VITE_ENVIRONMENT_RUNNER_IMPORT__(name, ${JSON.stringify(entries.ssr)}) }`

/** Returns the URL of an imported module, or `null` if Node loads the module itself. */
async function urlOf(
  environment: DevEnvironment,
  source: string,
  importer: string,
): Promise<string | null> {
  const { root, resolve } = environment.config
  if (isBuiltin(source)) return null
  const [name = ''] = source.split('/', 1)
  if (resolve.external !== true && resolve.external.includes(name)) return null
  const resolved = source.startsWith('.')
    ? { id: path.posix.join(path.posix.dirname(importer), source) }
    : await environment.pluginContainer.resolveId(source, importer)
  if (!resolved) throw new Error(`${importer} imports ${source}, which can't be found.`)
  const { id } = resolved
  if (id.startsWith(`${root}/`)) return id.slice(root.length)
  if (path.isAbsolute(id)) return path.posix.join('/@fs/', normalizePath(id))
  return id
}
