import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import vm from 'node:vm'
import {
  createLogger,
  createRunnableDevEnvironment,
  createServerHotChannel,
  DevEnvironment,
  type DevEnvironmentOptions,
  type EnvironmentModuleGraph,
  type EnvironmentModuleNode,
  type FetchResult,
  type FSWatcher,
  type HotChannel,
  type HotPayload,
  type Logger,
  type Plugin,
  type ResolvedConfig,
  type RunnableDevEnvironment,
  type WebSocketServer,
} from 'vite'
import {
  ESModulesEvaluator,
  type EvaluatedModuleNode,
  type ModuleEvaluator,
  type ModuleRunnerContext,
  ssrDynamicImportKey,
  ssrExportAllKey,
  ssrExportNameKey,
  ssrImportKey,
  ssrImportMetaKey,
  ssrModuleExportsKey,
} from 'vite/module-runner'
import { commonMark } from './commonModules.ts'
import { type BrowserBundles, createBrowserBundles, fetchPackage } from './fetchPackages.ts'
import { isNodeReact } from './nodeReact.ts'
import { createSideEffectCheck, withLaterError } from './optionalModules.ts'
import { isPretransformed, loadPretransformed } from './pretransformed.ts'

export type DevWords = {
  wrap(logger: Logger): Logger
  explainErrors(
    graph: EnvironmentModuleGraph,
    send: (payload: HotPayload) => void,
  ): ExplainedChannel
}

/** Explains module errors for the dev server. */
export type ModuleErrors = {
  missingExport(missing: MissingName, root: string): Error
  explainTransform(
    thrown: unknown,
    environment: Pick<DevEnvironment, 'config' | 'pluginContainer'>,
  ): Promise<void>
  explainFetch(
    thrown: unknown,
    missing: { readonly source: string; readonly importer: string | undefined },
    root: string,
  ): void
}

type ExplainedChannel = {
  send(...args: [payload: HotPayload] | [event: string, data?: unknown]): void
  watch(watcher: FSWatcher): void
}

/**
 * Creates the dev server's environments.
 *
 * @see docs/decisions/dev-server.md
 */
export function devEnvironmentsPlugin(words: DevWords, errors: ModuleErrors): Plugin {
  let browser: BrowserEnvironment | undefined
  // Files whose imports failed on the server, by environment.
  const failedImporters = new WeakMap<DevEnvironment, Set<string>>()
  const createBrowser: CreateEnvironment = (_name, config, { ws }) => {
    browser = new BrowserEnvironment(config, ws, { words, errors })
    return browser
  }
  return {
    name: 'waymark:dev-environments',
    enforce: 'pre',
    apply: 'serve',
    config({ customLogger, logLevel, clearScreen }) {
      const logger =
        customLogger ?? createLogger(logLevel, { allowClearScreen: clearScreen ?? true })
      return { customLogger: words.wrap(logger) }
    },
    configEnvironment(name) {
      if (name === 'client') return { dev: { createEnvironment: createBrowser } }
      if (name !== 'rsc' && name !== 'ssr') return null
      const createEnvironment: CreateEnvironment = (_name, config) =>
        createServerEnvironment(name, config, {
          errors,
          browser: () => browser?.bundles ?? null,
          failedImporters,
        })
      return { dev: { createEnvironment } }
    },
    configureServer({ middlewares }) {
      if (browser) middlewares.use(browser.bundles.countRequests)
    },
    async hotUpdate({ type, file, read, server, modules }) {
      const { environment } = this
      const importers = failedImporters.get(environment)
      if (type === 'create' && importers) {
        const { moduleGraph } = environment
        const retried = [...importers].flatMap((each) => [
          ...(moduleGraph.getModulesByFile(each) ?? []),
        ])
        importers.clear()
        for (const module of retried) moduleGraph.invalidateModule(module)
        return [...modules, ...retried]
      }
      const { ssr } = server.environments
      if (!(this.environment instanceof BrowserEnvironment) || !ssr) return
      return (await this.environment.bundles.changeFor(file, read, ssr)) ? [] : undefined
    },
  }
}

type CreateEnvironment = NonNullable<DevEnvironmentOptions['createEnvironment']>

class BrowserEnvironment extends DevEnvironment {
  readonly bundles: BrowserBundles
  readonly #watch: ExplainedChannel['watch']
  readonly #errors: ModuleErrors

  constructor(
    config: ResolvedConfig,
    ws: WebSocketServer,
    { words: { explainErrors }, errors }: { words: DevWords; errors: ModuleErrors },
  ) {
    const send: ExplainedChannel['send'] = (...args) => explained.send(...args)
    const sending = { value: send, writable: true }
    const transport: WebSocketServer = Object.create(ws, { send: sending })
    super('client', config, { hot: true, transport })
    this.bundles = createBrowserBundles(this, ws)
    const explained = explainErrors(this.moduleGraph, this.bundles.send)
    this.#watch = explained.watch
    this.#errors = errors
  }

  override init(...args: Parameters<DevEnvironment['init']>): Promise<void> {
    const [options] = args
    if (options?.watcher) this.#watch(options.watcher)
    return super.init(...args)
  }

  override async transformRequest(url: string) {
    return withExplainedError(super.transformRequest(url), this, this.#errors)
  }

  /** Disabled, because any page could request modules through the WebSocket. */
  override async fetchModule(): Promise<FetchResult> {
    throw new Error('fetchModule is disabled in this environment')
  }
}

async function withExplainedError<Result>(
  transforming: Promise<Result>,
  environment: DevEnvironment,
  { explainTransform }: ModuleErrors,
): Promise<Result> {
  try {
    return await transforming
  } catch (thrown) {
    await explainTransform(thrown, environment)
    throw thrown
  }
}

type ServerEnvironmentContext = {
  readonly errors: ModuleErrors
  readonly browser: () => BrowserBundles | null
  readonly failedImporters: WeakMap<DevEnvironment, Set<string>>
}

/** Creates an environment that runs modules on the server. */
function createServerEnvironment(
  name: 'rsc' | 'ssr',
  config: ResolvedConfig,
  { errors, browser, failedImporters }: ServerEnvironmentContext,
): RunnableDevEnvironment {
  const { root } = config
  // Otherwise a watcher that a transform creates would handle each later edit in the scope of the
  // current request.
  const outside = AsyncLocalStorage.snapshot()
  const evaluator = createCheckedEvaluator(root, {
    errorOf: (missing) => errors.missingExport(missing, root),
    isBundle: (url) => environment.depsOptimizer?.isOptimizedDepUrl(url) ?? false,
    sourceOf(file) {
      const bundles = environment.depsOptimizer?.metadata.depInfoList ?? []
      return bundles.find((bundle) => bundle.file === file)?.src ?? file
    },
  })
  const transport = partialReloads(createServerHotChannel(), () => dropStale(environment))
  const environment = createRunnableDevEnvironment(name, config, {
    hot: true,
    transport,
    runnerOptions: {
      evaluator: withFailures(evaluator, (node) => forgetFailed(environment, node)),
    },
  })
  keepFrameworkLoaded(environment.moduleGraph)
  const importers = new Set<string>()
  failedImporters.set(environment, importers)
  // Vite exports no class to extend, and plugin-rsc only accepts environments that this function
  // creates, so replace methods. See docs/upstream/vite-runnable-environment/report.md.
  const fetchModule = fetchCurrent(environment, environment.fetchModule.bind(environment))
  const transformRequest = environment.transformRequest.bind(environment)
  environment.fetchModule = async (...args) => {
    const [source, importer] = args
    const bundles = name === 'ssr' ? browser() : null
    try {
      return await outside(() => fetchPackage(environment, bundles, args, fetchModule))
    } catch (thrown) {
      errors.explainFetch(thrown, { source, importer }, root)
      // Vite forgets on the server which import failed, so it wouldn't transform the importer again
      // after the missing file has been added.
      if (importer !== undefined) importers.add(importer.replace(/\?.*$/, ''))
      throw thrown
    }
  }
  environment.transformRequest = async (url) => {
    const transformed = await loadPretransformed(environment, url)
    return transformed ?? withExplainedError(transformRequest(url), environment, errors)
  }
  environment.warmupRequest = async (url) => {
    await environment.transformRequest(url).catch(() => {})
  }
  return environment
}

/** Calls `onFailure` with each module whose evaluation fails. */
function withFailures(
  evaluator: ModuleEvaluator,
  onFailure: (node: EvaluatedModuleNode) => void,
): ModuleEvaluator {
  return {
    ...evaluator,
    runInlinedModule(context, code, node) {
      const running = evaluator.runInlinedModule(context, code, node)
      running.catch(() => onFailure(node))
      return running
    },
  }
}

/**
 * Makes the next import of a failed module read its file again. The module runner would repeat the
 * failure until the watcher reports a change. But the watcher doesn't report files that appear and
 * disappear within milliseconds, and such a file may have caused the failure.
 */
function forgetFailed(
  { moduleGraph, runner }: RunnableDevEnvironment,
  node: EvaluatedModuleNode,
): void {
  const { evaluatedModules } = runner
  const isReplaced = evaluatedModules.getModuleById(node.id) !== node
  const graphModule = moduleGraph.getModuleById(node.meta?.id ?? node.id)
  if (graphModule && !isReplaced) moduleGraph.updateModuleTransformResult(graphModule, null)
}

// Limit for a module that is invalidated during each of its fetches.
const maxFetches = 10

/**
 * Fetches a module again if it was invalidated during the fetch. The module runner passes one fetch
 * to all importers, including those that were reloaded because of the invalidation. They would keep
 * the old module.
 */
function fetchCurrent(
  { moduleGraph }: DevEnvironment,
  fetchModule: DevEnvironment['fetchModule'],
): DevEnvironment['fetchModule'] {
  // Vite doesn't store the result of a module that was invalidated in the meantime.
  const isCurrent = (fetched: FetchResult) =>
    !('id' in fetched) || moduleGraph.getModuleById(fetched.id)?.transformResult !== null
  return async (url, importer, options) => {
    let fetched = await fetchModule(url, importer, options)
    for (let count = 1; count < maxFetches && !isCurrent(fetched); count++) {
      const repeated = await fetchModule(url, importer, { ...options, cached: false })
      fetched = 'invalidate' in repeated ? { ...repeated, invalidate: true } : repeated
    }
    return fetched
  }
}

/**
 * After an edit, limits the reload to the server modules that import the changed file, directly or
 * indirectly. Vite would evaluate all modules again, including React.
 * @see docs/decisions/dev-server.md
 */
function partialReloads<Api>(channel: HotChannel<Api>, dropStale: () => void): HotChannel<Api> {
  const send = (payload: HotPayload) => {
    if (payload.type === 'error') return
    if (payload.type !== 'full-reload') return channel.send?.(payload)
    // The app's code may listen for this event with `import.meta.hot.on('vite:beforeFullReload')`.
    channel.send?.({ type: 'custom', event: 'vite:beforeFullReload', data: payload })
    dropStale()
  }
  return { ...channel, send }
}

/**
 * Excludes the framework's modules from reloads of all modules. Vite reloads all modules when it has
 * bundled a further package, often during a request. Files that the request imports afterwards must
 * get the same `AsyncLocalStorage` and the same React contexts as the files before.
 */
function keepFrameworkLoaded(graph: EnvironmentModuleGraph): void {
  graph.invalidateAll = () => {
    const seen = new Set<EnvironmentModuleNode>()
    for (const module of graph.idToModuleMap.values()) {
      if (!dependsOnFrameworkOnly(module)) graph.invalidateModule(module, seen)
    }
  }
}

/**
 * True for the framework's modules, except for those that import generated modules, directly or
 * indirectly. Generated modules list files of the app.
 */
function dependsOnFrameworkOnly(
  { id, importedModules }: EnvironmentModuleNode,
  visited = new Set<string>(),
): boolean {
  if (id === null) return false
  if (visited.has(id) || isNodeReact(id)) return true
  visited.add(id)
  if (!isPretransformed(id)) return false
  return [...importedModules].every((each) => dependsOnFrameworkOnly(each, visited))
}

function dropStale({ moduleGraph, runner }: RunnableDevEnvironment): void {
  const { idToModuleMap, urlToIdModuleMap, fileToModulesMap } = runner.evaluatedModules
  for (const [id, node] of idToModuleMap) {
    // Node would return the same module again, so skip modules that Node has loaded.
    if (node.meta && 'externalize' in node.meta) continue
    const graphModule = moduleGraph.getModuleById(node.meta?.id ?? id)
    if (graphModule?.transformResult) continue
    // Don't call `invalidateModule`: code that is still loading the old module must be able to
    // finish.
    idToModuleMap.delete(id)
    fileToModulesMap.get(node.file)?.delete(node)
  }
  for (const [url, node] of urlToIdModuleMap) {
    if (idToModuleMap.get(node.id) !== node) urlToIdModuleMap.delete(url)
  }
}

export type MissingName = {
  readonly name: string
  readonly file: string
  readonly source: string
  readonly exportNames: readonly string[]
}

/**
 * Creates an evaluator that works like Vite's, except that it refuses imports of names that a file
 * doesn't export, as browsers and builds do. Vite would pass `undefined` instead.
 */
function createCheckedEvaluator(
  root: string,
  { errorOf, isBundle, sourceOf }: Checks,
): ModuleEvaluator {
  const vite = new ESModulesEvaluator()
  const isNodeModule = createModuleTypes()
  const hasNoSideEffects = createSideEffectCheck()
  const run = (context: ModuleRunnerContext, code: string, file: string) =>
    path.isAbsolute(file)
      ? runModuleOfFile(context, code, file)
      : vite.runInlinedModule(context, code)
  return {
    startOffset: vite.startOffset,
    runExternalModule: (file) => vite.runExternalModule(file),
    runInlinedModule(context, code, { file }) {
      // In an importer of a package that Vite has bundled, Vite's own transform already reads the
      // default export.
      const asBuilt = (loaded: Record<string, unknown>, source: string) =>
        isBundle(source) || isNodeModule(file) ? loaded : withCompiledDefault(loaded)
      const loadLater = async (source: string) =>
        asBuilt(await context[ssrDynamicImportKey](source), source)
      if (!isAppFile(file, root)) {
        const load: (typeof context)[typeof ssrImportKey] = async (source, metadata) =>
          asBuilt(await context[ssrImportKey](source, metadata), source)
        const loading = { [ssrImportKey]: load, [ssrDynamicImportKey]: loadLater }
        const running = run({ ...context, ...loading }, withRequire(code, file), file)
        return hasNoSideEffects(sourceOf(file))
          ? withLaterError(running, context[ssrModuleExportsKey], code)
          : running
      }
      const load: (typeof context)[typeof ssrImportKey] = async (source, metadata) => {
        const loaded = asBuilt(await context[ssrImportKey](source, metadata), source)
        // Vite seals a module once it is evaluated. In a circular import, it isn't evaluated yet,
        // so don't check it.
        const isChecked = isAppFile(root + source, root) || entryOf(source) !== null
        if (!isChecked || !Object.isSealed(loaded)) return loaded
        const missing = metadata?.importedNames?.find(
          (name) => !(name in loaded) && isUsed(name, code),
        )
        if (missing === undefined) return loaded
        throw errorOf({ name: missing, file, source, exportNames: Object.keys(loaded) })
      }
      const loading = { [ssrImportKey]: load, [ssrDynamicImportKey]: loadLater }
      return run({ ...context, ...loading }, withRequire(code, file), file)
    },
  }
}

/**
 * Evaluates a module like Vite, but as a script with the name of the module's file. Packages look
 * up their callers' files: `pino.transport()`, for example, resolves its target relative to its
 * caller. With Vite's evaluator, a call site's `getFileName()` returns nothing.
 */
async function runModuleOfFile(
  context: ModuleRunnerContext,
  code: string,
  file: string,
): Promise<void> {
  const names = [
    ssrModuleExportsKey,
    ssrImportMetaKey,
    ssrImportKey,
    ssrDynamicImportKey,
    ssrExportAllKey,
    ssrExportNameKey,
  ] as const
  const { body, id, map } = splitSource(code, file)
  // The code must start on the same line as in Vite's wrapper, or source maps would be wrong.
  const wrapped = `(async function (${names.join()}\n) {\n"use strict";\n${body}\n})`
  const { USE_MAIN_CONTEXT_DEFAULT_LOADER: importModuleDynamically } = vm.constants
  const script = new vm.Script(wrapped, { filename: id, importModuleDynamically })
  const evaluate = script.runInThisContext()
  // Vite's own function has this name in stacks.
  Object.defineProperty(evaluate, 'name', { value: 'eval' })
  // Node reads source maps of functions created from strings, but not of scripts. So create a
  // function with the same source map comment.
  if (map !== '') new Function(`//# sourceURL=${pathToFileURL(id)}${map}`)
  await evaluate(...names.map((name) => context[name]))
  Object.seal(context[ssrModuleExportsKey])
}

type RunnerSource = {
  readonly body: string
  /** The file of the module, with the module's query. */
  readonly id: string
  /** The comment with the source map. Empty for a module without a source map. */
  readonly map: string
}

const sourceUrlMark = '\n//# sourceURL='

/**
 * Removes the `sourceURL` comment that Vite adds to the code of a module. The comment contains the
 * file with encoded white space. Node would encode the path again, and not find the source map.
 */
function splitSource(code: string, file: string): RunnerSource {
  const start = code.lastIndexOf(sourceUrlMark)
  if (start === -1) return { body: code, id: file, map: '' }
  const end = code.indexOf('\n', start + 1)
  const rest = end === -1 ? '' : code.slice(end)
  const encodedId = code.slice(start + sourceUrlMark.length, end === -1 ? undefined : end)
  const encodedFile = file.replace(/\s/g, encodeURIComponent)
  return {
    body: code.slice(0, start) + rest,
    id: encodedId.startsWith(encodedFile) ? file + encodedId.slice(encodedFile.length) : file,
    map: /^(?:\n\/\/#.*)*/.exec(rest)?.[0] ?? '',
  }
}

type Checks = {
  readonly errorOf: (missing: MissingName) => Error
  /** True if the URL belongs to a package that Vite has bundled for this environment. */
  readonly isBundle: (url: string) => boolean
  /** Returns the file from which Vite has created a bundle, and other files unchanged. */
  readonly sourceOf: (file: string) => string
}

/**
 * Creates a function that returns true if Node would treat a file as an ES module, judging by its
 * extension or its package's `type`. In such a file, the default import of a CommonJS module is
 * `module.exports`.
 */
function createModuleTypes(): (file: string) => boolean {
  const types = new Map<string, boolean>()
  const isModuleFolder = (folder: string): boolean => {
    const cached = types.get(folder)
    if (cached !== undefined) return cached
    const manifest = path.join(folder, 'package.json')
    const parent = path.dirname(folder)
    const isModule = existsSync(manifest)
      ? JSON.parse(readFileSync(manifest, 'utf8')).type === 'module'
      : parent !== folder && isModuleFolder(parent)
    types.set(folder, isModule)
    return isModule
  }
  return (file) => {
    if (/\.m[jt]s$/.test(file)) return true
    if (/\.c[jt]s$/.test(file)) return false
    return !path.isAbsolute(file) || isModuleFolder(path.dirname(file))
  }
}

/** Returns the original default export if the CommonJS was compiled from an ES module. */
function withCompiledDefault(loaded: Record<string, unknown>): Record<string, unknown> {
  if (!(commonMark in loaded)) return loaded
  const { default: exported } = loaded as { default?: { __esModule?: boolean } }
  const isCompiled = exported?.__esModule && Object.hasOwn(exported, 'default')
  return isCompiled ? { ...loaded, default: (exported as { default: unknown }).default } : loaded
}

/** Defines `require` in a module, as a build does, unless the module declares it itself. */
function withRequire(code: string, file: string): string {
  if (!/\brequire\s*\(/.test(code) || !path.isAbsolute(file)) return code
  const from = JSON.stringify(pathToFileURL(file))
  return `const require = process.getBuiltinModule('node:module').createRequire(${from});{${code}\n}`
}

export function entryOf(url: string): string | null {
  const [, name] = /\/waymark\/dist\/dev\/\w+\/(\w+)\.js(?:\?|$)/.exec(url) ?? []
  return name === undefined ? null : name === 'index' ? 'waymark' : `waymark/${name}`
}

function isAppFile(file: string, root: string): boolean {
  return file.startsWith(root + path.posix.sep) && !/\/node_modules\/|\/@|\0/.test(file)
}

const passedOn = new RegExp(`^${ssrExportNameKey}\\(.*$`, 'gm')

// A re-export may be a type, which doesn't exist at run time.
function isUsed(name: string, code: string): boolean {
  const others = code.replace(passedOn, '')
  return new RegExp(`__vite_ssr_import_\\d+__\\.${name.replaceAll('$', '\\$')}(?![\\w$])`).test(
    others,
  )
}
