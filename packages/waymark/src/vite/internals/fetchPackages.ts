import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type Connect,
  type DevEnvironment,
  type FetchResult,
  type HotPayload,
  parseSync,
  type WebSocketServer,
} from 'vite'
import { ssrExportNameKey } from 'vite/module-runner'
import { findPackage } from '../../node/appPackages.ts'
import { commonMark } from './commonModules.ts'
import { bundleImports, isClientModule, sourceFile } from './findPackages.ts'

/**
 * Fetches a module for a module runner on the server. Node loads the bundles of packages if it can.
 *
 * @param browser bundles for browsers that a page must wait for; `null` for an environment that
 * renders no HTML
 */
export async function fetchPackage(
  environment: DevEnvironment,
  browser: BrowserBundles | null,
  [url, importer, options]: Parameters<DevEnvironment['fetchModule']>,
  fetchModule: DevEnvironment['fetchModule'],
): Promise<FetchResult> {
  const file = await findBundle(environment, url, browser)
  if (file) return { externalize: file, type: 'module' }
  const fetched = await fetchModule(currentUrl(environment, url), importer, options)
  if (!('externalize' in fetched)) return fetched
  const required = requiredUrl(environment, url, importer)
  if (!required && fetched.type !== 'commonjs') return fetched
  const externalize = required ?? fetched.externalize
  const id = `\0waymark-commonjs/${externalize}`
  return { code: commonModule(externalize), file: null, id, url, invalidate: false }
}

/**
 * Finds the file that a package provides for `require()`. plugin-rsc turns requires into imports,
 * but Node may be unable to load the file that the package provides for `import`.
 */
function requiredUrl({ moduleGraph }: DevEnvironment, url: string, importer = ''): string | null {
  if (!/^[\w@]/.test(url) || isBuiltin(url)) return null
  for (const { transformResult } of moduleGraph.getModulesByFile(importer) ?? []) {
    // plugin-rsc adds this mark to CommonJS that it has turned into a module.
    if (!transformResult?.code.includes('__cjs_module_runner_transform')) continue
    const file = findPackage(url, path.dirname(importer))
    return file && isCommon(file) ? pathToFileURL(file).href : null
  }
  return null
}

function isCommon(file: string): boolean {
  if (!/\.c?js$/.test(file)) return false
  const { module } = parseSync(file, readFileSync(file, 'utf8'), { sourceType: 'unambiguous' })
  return !module.hasModuleSyntax
}

/**
 * Generates a module for a CommonJS file in which Node finds no export names, such as `lodash`. The
 * exports are read on access, because some packages load parts of themselves only then.
 */
function commonModule(url: string): string {
  return `const loaded = await import(${JSON.stringify(url)})
const common = loaded.default
const names = new Set(Object.keys(loaded))
for (const name in Object(common)) names.add(name)
for (const name of names) {
  ${ssrExportNameKey}(name, name === 'default' ? () => common : () => common?.[name])
}
${ssrExportNameKey}(${JSON.stringify(commonMark)}, () => true)`
}

async function findBundle(
  environment: DevEnvironment,
  url: string,
  browser: BrowserBundles | null,
): Promise<string | null> {
  const { depsOptimizer, config, name } = environment
  const bundle = bundleOf(environment, url)
  if (!depsOptimizer || !bundle) return null
  const { file } = bundle
  const names = Object.keys(depsOptimizer.metadata.discovered)
  // A page that loads while bundles change would get a mix of old and new ones, so wait for all
  // bundles.
  const work = browser ? browser.made(environment) : bundle.processing
  await announceLong(work, () => preparingText(names))
  if (name !== 'ssr' || !existsSync(file)) return null
  const excluded = config.optimizeDeps.exclude?.filter((each) => !/^react(?:-dom)?$/.test(each))
  if (importsAny(file, ['/@fs', ...(excluded ?? [])], new Set())) return null
  const native = nativeFile(file, depsOptimizer.metadata)
  // Bundles from different runs don't share modules. If Node has already loaded a bundle
  // from an earlier run of the optimizer, pages must reload.
  if (native.isMoved && browser?.hasLoaded.size) browser.reload()
  browser?.hasLoaded.add(file)
  return pathToFileURL(native.file).href
}

function bundleOf({ depsOptimizer, config }: DevEnvironment, url: string) {
  if (!depsOptimizer?.isOptimizedDepUrl(url)) return undefined
  const [pathname = ''] = url.split('?', 1)
  const isOutside = pathname.startsWith('/@fs/')
  const file = isOutside ? pathname.slice(4) : path.posix.join(config.root, pathname)
  const { optimized, discovered, chunks } = depsOptimizer.metadata
  return [optimized, discovered, chunks]
    .flatMap((each) => Object.values(each))
    .find((each) => each.file === file)
}

/**
 * Returns a bundle's current URL. The importer may have been transformed before the optimizer last
 * ran.
 */
function currentUrl(environment: DevEnvironment, url: string): string {
  const version = bundleOf(environment, url)?.browserHash
  return version === undefined ? url : url.replace(/([?&]v=)[\da-f]+/, `$1${version}`)
}

/** Packages' bundles for browsers, from the point of view of pages that are being rendered. */
export type BrowserBundles = ReturnType<typeof createBrowserBundles>

/**
 * Creates an object that reloads open pages when bundles change, except for the page that is
 * waiting for the bundles.
 */
export function createBrowserBundles(client: DevEnvironment, ws: WebSocketServer) {
  let waiting = 0
  let openPages = 0
  client.hot.on('vite:client:connect', () => openPages++)
  client.hot.on('vite:client:disconnect', () => openPages--)
  const bundled = async (ssr: DevEnvironment) => {
    const pending = () =>
      [client, ssr]
        .flatMap(({ depsOptimizer }) => Object.values(depsOptimizer?.metadata.discovered ?? {}))
        .flatMap(({ processing }) => processing ?? [])
    for (let running = pending(); running.length > 0; running = pending())
      await Promise.all(running)
  }
  const hasLoaded = new Set<string>()
  let requests = 0
  return {
    /** Bundles that Node has loaded for the pages that are being rendered. */
    hasLoaded,
    /** Counts open requests. If there was none before, the list of loaded bundles is cleared. */
    countRequests(...[_req, res, next]: Parameters<Connect.NextHandleFunction>): void {
      if (requests++ === 0) hasLoaded.clear()
      res.once('close', () => requests--)
      next()
    },
    send(payload: HotPayload): void {
      if (payload.type !== 'full-reload' || waiting === 0 || openPages > 0) ws.send(payload)
    },
    /**
     * Waits for all bundles in progress, including those for HTML and those that are found while
     * waiting.
     */
    async made(ssr: DevEnvironment): Promise<void> {
      waiting++
      await bundled(ssr)
      waiting--
    },
    /**
     * Bundles the packages that an edited file imports.
     *
     * @returns true if bundles have changed
     */
    async changeFor(
      file: string,
      read: () => string | Promise<string>,
      ssr: DevEnvironment,
    ): Promise<boolean> {
      if (openPages === 0 || !sourceFile.test(file)) return false
      const before = client.depsOptimizer?.metadata.browserHash
      const isLoaded = client.moduleGraph.getModulesByFile(file) !== undefined
      const text = await Promise.resolve()
        .then(read)
        .catch(() => '')
      if (!isLoaded && !isClientModule(text)) return false
      await bundleImports(ssr, file, text)
      const names = Object.keys(client.depsOptimizer?.metadata.discovered ?? {})
      await announceLong(bundled(ssr), () => preparingText(names))
      return client.depsOptimizer?.metadata.browserHash !== before
    },
    reload: (): void => ws.send({ type: 'full-reload' }),
  }
}

type NativeFolder = {
  readonly folder: string
  /** Metadata of the optimizer run that wrote the folder. Each run has a different object. */
  readonly run: object
  readonly texts: ReadonlyMap<string, string>
}

// Folders from which Node loads bundles. After a change, a folder needs a new path, because Node
// caches modules until the process ends.
const nativeFolders = new Map<string, NativeFolder>()

/**
 * Returns the file from which Node loads a bundle. After a change, it is in a copy of the whole
 * folder.
 */
function nativeFile(file: string, run: object): { file: string; isMoved: boolean } {
  const source = path.dirname(file)
  const before = nativeFolders.get(source)
  let native = before
  if (native?.run !== run) {
    const texts = textsIn(source)
    native = { folder: nativeFolder(source, texts, before), run, texts }
    nativeFolders.set(source, native)
  }
  const isMoved = before !== undefined && before.folder !== native.folder
  return { file: path.join(native.folder, path.basename(file)), isMoved }
}

function nativeFolder(
  source: string,
  texts: ReadonlyMap<string, string>,
  before: NativeFolder | undefined,
): string {
  if (!before) return source
  const isSame = [...before.texts].every(([name, text]) => texts.get(name) === text)
  if (isSame && before.folder === source) return source
  const folder = isSame ? before.folder : `${source}_${process.pid}_${Date.now()}`
  if (!isSame) process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  cpSync(source, folder, { recursive: true })
  return folder
}

function textsIn(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'))
  return new Map(names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]))
}

/**
 * True if the bundle or one of its chunks imports an external module, which Node would load a
 * second time.
 */
function importsAny(file: string, names: readonly string[], searched: Set<string>): boolean {
  if (searched.has(file) || !existsSync(file)) return false
  searched.add(file)
  const text = readFileSync(file, 'utf8')
  const imports = text.matchAll(/\b(?:from|import|require)\s*\(?\s*["']([^"'\n]+)["']/g)
  return [...imports].some(([, from = '']) =>
    from.startsWith('./')
      ? importsAny(path.join(path.dirname(file), from), names, searched)
      : names.some((name) => from === name || from.startsWith(`${name}/`)),
  )
}

const mostNames = 5

function preparingText(names: readonly string[]): string {
  const listed = names.slice(0, mostNames).join(', ')
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : ''
  return `Preparing ${listed}${more} for development. The next start will reuse the result.`
}

const longMs = 1_000

/** Lines that were printed for work that is still running. */
const announced = new Set<string>()

/** Prints a line if work takes long, but not while other work that printed the same line is running. */
export async function announceLong<T>(
  work: Promise<T> | T,
  text: () => string,
  print: (line: string) => void = console.info,
): Promise<T> {
  let printed: string | null = null
  const timer = setTimeout(() => {
    const line = text()
    if (announced.has(line)) return
    announced.add(line)
    printed = line
    print(line)
  }, longMs)
  try {
    return await work
  } finally {
    clearTimeout(timer)
    if (printed !== null) announced.delete(printed)
  }
}
