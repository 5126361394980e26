import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  hasDirective,
  transformHoistInlineDirective,
  transformWrapExport,
} from '@vitejs/plugin-rsc/transforms'
import {
  type ESTree,
  normalizePath,
  type Plugin,
  parseAstAsync,
  parseSync,
  type Rollup,
  Visitor,
} from 'vite'
import { lineCounter } from './move/readSource.ts'

const directive = 'use cache'
const remoteDirective = 'use cache: remote'
const privateDirective = 'use cache: private'

const runtime = normalizePath(fileURLToPath(new URL('./cachedByDirective.js', import.meta.url)))

/** Compiles functions with `'use cache'` into cached functions. */
export function cacheDirectivePlugins(root: string): Plugin[] {
  const fileOf = (id: string) => normalizePath(path.relative(root, id.replace(/[?#].*$/, '')))
  const wrapPlugin = (
    part: string,
    wrap: (module: ParsedModule) => WrappedModule | null,
  ): Plugin => ({
    name: `next-names:cached-${part}`,
    // Browser code keeps the directive, so that an error can point to its file and line.
    applyToEnvironment: ({ name }) => name === 'rsc',
    transform: {
      // Bundled packages are large and never contain the directive.
      filter: { id: { exclude: /[\\/]\.vite[\\/]deps/ }, code: /['"]use cache['"]/ },
      async handler(code, id) {
        return wrap({ code, ast: await parseAstAsync(code), file: fileOf(id), runtime })
      },
    },
  })
  return [
    {
      name: 'next-names:cache-variants',
      enforce: 'pre',
      transform: {
        filter: { id: /\.[cm]?[jt]sx?(?:$|\?)/, code: /['"]use cache: / },
        handler: (code, id) => ({ code: replaceRemoteDirectives(fileOf(id), code), map: null }),
      },
    },
    wrapPlugin('functions', wrapFunctions),
    wrapPlugin('exports', wrapExports),
  ]
}

/**
 * Replaces `'use cache: remote'` with `'use cache'`, which uses the store that all processes share.
 * @param file name of the file, for error messages
 * @returns code in which all positions are unchanged
 * @throws Error for `'use cache: private'` and for named stores
 */
export function replaceRemoteDirectives(file: string, code: string): string {
  const { program, errors } = parseSync(file, code, {
    lang: /\.[cm]?ts$/.test(file) ? 'ts' : 'tsx',
  })
  if (errors.some(({ severity }) => severity === 'Error')) return code
  let replaced = code
  new Visitor({
    ExpressionStatement(statement) {
      const { directive: text, expression } = statement as ESTree.Directive
      if (!text?.startsWith(`${directive}: `)) return
      if (text !== remoteDirective) {
        throw new Error(`${file}:${lineCounter(code)(statement.start)}: ${refusalOf(text)}`)
      }
      const { start, end } = expression
      replaced =
        replaced.slice(0, start) + `'${directive}'`.padEnd(end - start) + replaced.slice(end)
    },
  }).visit(program)
  return replaced
}

function refusalOf(text: string): string {
  return text === privateDirective
    ? `'${text}' is not supported, because results for one user are never cached. Remove the directive and the function's calls to cacheLife() and cacheTag(), so that the function runs for each request. Or pass the values that it reads from the request as arguments, and write '${directive}'.`
    : `'${text}' names a store, but all cached functions share one store. Write '${directive}'. server.ts can set a different store for the app.`
}

export type ParsedModule = {
  readonly code: string
  readonly ast: ESTree.Program
  /** Path relative to the project's root. The path is part of the cached functions' names. */
  readonly file: string
  /** Module that exports `cachedByDirective`. */
  readonly runtime: string
}

export type WrappedModule = {
  readonly code: string
  readonly map: Rollup.SourceMapInput
}

/**
 * Wraps functions that contain `'use cache'`. Captured values become arguments.
 * @returns `null` if the module doesn't contain any function with the directive
 */
export function wrapFunctions(module: ParsedModule): WrappedModule | null {
  const { code, ast, file } = module
  const wrapper = '$$cachedFunction'
  const { output, names } = transformHoistInlineDirective(code, ast, {
    directive,
    runtime(value, name, { valueNode, bindVars }) {
      // The parser of Vite has its own types for the same nodes.
      const declared = countParameters(valueNode as ESTree.Node, code)
      const keyedArguments = declared === null ? null : bindVars.length + declared
      return callOf(wrapper, value, { id: `${file}#${name}`, keyedArguments })
    },
    rejectNonAsyncFunction: true,
    noExport: true,
    // In the dev server, each wrapping creates a different name, so wrap only once.
    hoistRuntime: true,
  })
  if (names.length === 0) return null
  const fileDirectives = ast.body
  new Visitor({
    ExpressionStatement(statement) {
      const isDirective = (statement as ESTree.Directive).directive === directive
      if (isDirective && !fileDirectives.includes(statement)) {
        output.remove(statement.start, statement.end)
      }
    },
  }).visit(ast)
  const wrapped = finish(output, wrapper, module)
  return { ...wrapped, code: names.reduce(renamed, wrapped.code) }
}

/**
 * Wraps the functions that a file with `'use cache'` exports.
 * @returns `null` for a file without the directive
 */
export function wrapExports(module: ParsedModule): WrappedModule | null {
  const { code, ast, file } = module
  if (!hasDirective(ast.body, directive)) return null
  const wrapper = '$$cachedExport'
  const { output } = transformWrapExport(code, ast, {
    runtime(value, name, { valueNode, defaultExportIdentifierName }) {
      const localName = defaultExportIdentifierName ?? localNameOf(ast, name)
      const node = localName === undefined ? valueNode : findTopLevelFunction(ast, localName)
      // The parser of Vite has its own types for the same nodes.
      const keyedArguments = countParameters(node as ESTree.Node | undefined, code)
      return callOf(wrapper, value, { id: `${file}#${name}`, keyedArguments })
    },
    rejectNonAsyncFunction: true,
    filter: (_name, { isFunction }) => isFunction !== false,
  })
  const statement = ast.body.find((node) => 'directive' in node && node.directive === directive)
  if (statement) output.remove(statement.start, statement.end)
  return finish(output, wrapper, module)
}

type CachedFunction = {
  /** Name in the cache. */
  readonly id: string
  /** Number of arguments that are part of the key, or `null` for all of them. */
  readonly keyedArguments: number | null
}

function callOf(wrapper: string, value: string, { id, keyedArguments }: CachedFunction): string {
  const args = keyedArguments === null ? [] : [keyedArguments]
  return `${wrapper}(${[value, JSON.stringify(id), ...args].join(', ')})`
}

/**
 * Counts the parameters of a function. Its `length` doesn't count parameters with a default.
 * @returns `null` if the function can read all of its arguments, or if `node` isn't a function
 */
function countParameters(node: ESTree.Node | undefined, code: string): number | null {
  const isFunction =
    node?.type === 'FunctionDeclaration' ||
    node?.type === 'FunctionExpression' ||
    node?.type === 'ArrowFunctionExpression'
  if (!isFunction) return null
  const { params, start, end } = node
  const readsAll =
    params.some(({ type }) => type === 'RestElement') ||
    /\barguments\b/.test(code.slice(start, end))
  return readsAll ? null : params.length
}

/** Finds the function that a name refers to at the top level of a module. */
function findTopLevelFunction(ast: ESTree.Program, name: string): ESTree.Node | undefined {
  for (const statement of ast.body) {
    const isExport = statement.type === 'ExportNamedDeclaration'
    const declaration = isExport ? statement.declaration : statement
    if (declaration?.type === 'FunctionDeclaration' && declaration.id?.name === name) {
      return declaration
    }
    if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue
    for (const { id, init } of declaration.declarations) {
      if (id.type === 'Identifier' && id.name === name) return init ?? undefined
    }
  }
  return undefined
}

/** Returns the name at the module's top level of `export { local as name }`. */
function localNameOf(ast: ESTree.Program, exportName: string): string | undefined {
  for (const statement of ast.body) {
    if (statement.type !== 'ExportNamedDeclaration' || statement.source) continue
    for (const { local, exported } of statement.specifiers) {
      const isIt = exported.type === 'Identifier' && exported.name === exportName
      if (isIt && local.type === 'Identifier') return local.name
    }
  }
  return undefined
}

type Output = ReturnType<typeof transformWrapExport>['output']

function finish(output: Output, wrapper: string, { file, runtime }: ParsedModule): WrappedModule {
  // The file's other directives must stay first, so append the import.
  output.append(`\nimport { cachedByDirective as ${wrapper} } from ${JSON.stringify(runtime)};\n`)
  const map = output.generateMap({ hires: 'boundary', source: file, includeContent: true })
  return { code: output.toString(), map }
}

// Hoisted server functions have similar names, so rename cached functions. The new names are
// equally long, which keeps the source map valid.
function renamed(code: string, name: string): string {
  return code.replaceAll(name, () => `$$cache_${name.slice('$$hoist_'.length)}`)
}
