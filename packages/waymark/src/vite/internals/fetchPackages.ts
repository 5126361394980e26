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
 * Fetches a module for a module runner of the server. Node loads bundles of packages where it can.
 * @param browser what a page waits for; `null` where no HTML is rendered
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
 * Finds what a package has for `require()`: plugin-rsc turns requires into imports, and Node may
 * not be able to load what is for `import`.
 */
function requiredUrl({ moduleGraph }: DevEnvironment, url: string, importer = ''): string | null {
  if (!/^[\w@]/.test(url) || isBuiltin(url)) return null
  for (const { transformResult } of moduleGraph.getModulesByFile(importer) ?? []) {
    // plugin-rsc marks CommonJS that it has changed into a module.
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
 * Writes a module for a CommonJS file in which Node finds no names, as `lodash`. They are read when
 * they are used: some packages load parts of themselves then.
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
  // A page that loads while bundles change would get some of each.
  const work = browser ? browser.made(environment) : bundle.processing
  await announceLong(work, () => preparingText(names))
  if (name !== 'ssr' || !existsSync(file)) return null
  const excluded = config.optimizeDeps.exclude?.filter((each) => !/^react(?:-dom)?$/.test(each))
  if (importsAny(file, ['/@fs', ...(excluded ?? [])], new Set())) return null
  const native = nativeFile(file, depsOptimizer.metadata)
  // Bundles of two runs do not know each other.
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

/** The current URL of a bundle: its importer may have been transformed before the last run. */
function currentUrl(environment: DevEnvironment, url: string): string {
  const version = bundleOf(environment, url)?.browserHash
  return version === undefined ? url : url.replace(/([?&]v=)[\da-f]+/, `$1${version}`)
}

/** The bundles of packages for browsers, as pages that are being rendered see them. */
export type BrowserBundles = ReturnType<typeof createBrowserBundles>

/** Creates what reloads open pages when bundles change, but not the page that waits for them. */
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
    /** The bundles that Node has loaded for the pages that are being rendered. */
    hasLoaded,
    /** Counts the open requests: the first of several forgets what was loaded before. */
    countRequests(...[_req, res, next]: Parameters<Connect.NextHandleFunction>): void {
      if (requests++ === 0) hasLoaded.clear()
      res.once('close', () => requests--)
      next()
    },
    send(payload: HotPayload): void {
      if (payload.type !== 'full-reload' || waiting === 0 || openPages > 0) ws.send(payload)
    },
    /** Waits for all that are being made, for HTML too, and for what is found meanwhile. */
    async made(ssr: DevEnvironment): Promise<void> {
      waiting++
      await bundled(ssr)
      waiting--
    },
    /** Bundles the packages that an edited file imports. @returns whether bundles have changed */
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
  /** The metadata of the optimizer's run that wrote the folder: one object for each run. */
  readonly run: object
  readonly texts: ReadonlyMap<string, string>
}

// Node caches modules for as long as the process runs.
const nativeFolders = new Map<string, NativeFolder>()

/** The file by which Node loads a bundle: after a change, one in a copy of the whole folder. */
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

/** True if a bundle or one of its chunks imports an external module, which Node would load a second time. */
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
  return `Preparing ${listed}${more} for development; the next start finds it ready.`
}

const longMs = 1_000

export async function announceLong<T>(
  work: Promise<T> | T,
  text: () => string,
  print: (line: string) => void = console.info,
): Promise<T> {
  const timer = setTimeout(() => print(text()), longMs)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}
