import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  hasDirective,
  transformHoistInlineDirective,
  transformWrapExport,
} from '@vitejs/plugin-rsc/transforms'
import { type ESTree, normalizePath, type Plugin, parseAstAsync, type Rollup } from 'vite'

const runtime = normalizePath(fileURLToPath(new URL('../../rsc/cache/cached.js', import.meta.url)))

// Large, and without a directive.
const ownFiles = `${normalizePath(fileURLToPath(new URL('../../', import.meta.url)))}**`
const bundledFiles = /[\\/]\.vite[\\/]deps/

/**
 * Makes cached functions of what says `'use cache'`, and gives a name to each call of `cached()`
 * at the top level of a module. Names are made of places in the sources: equal sources have equal
 * ones.
 */
export function cacheDirectivePlugin(): Plugin {
  let root = ''
  return {
    name: 'waymark:cache-directive',
    configResolved(config) {
      root = config.root
    },
    transform: {
      filter: {
        id: { exclude: [ownFiles, bundledFiles] },
        code: /['"]use cache['"]|\bcached\b/,
      },
      async handler(code, id) {
        const { name } = this.environment
        if (name === 'ssr') return null
        const ast = await parseAstAsync(code)
        const file = normalizePath(path.relative(root, id.replace(/[?#].*$/, '')))
        const wrapped = wrapDirectives({ code, ast, file, runtime })
        if (wrapped && name === 'client') {
          this.error(
            `${file} says 'use cache', and runs in browsers. Move the function to a file for the server.`,
          )
        }
        if (wrapped) return { code: wrapped.code, map: wrapped.map }
        const named = name === 'rsc' ? nameCachedCalls({ code, ast, file }) : null
        // Columns behind a name are off, in its line alone.
        return named === null ? null : { code: named, map: null }
      },
    },
  }
}

/** A module to be transformed. */
export type CallingModule = {
  readonly code: string
  readonly ast: ESTree.Program
  /** Relative to the project's root: part of the names. */
  readonly file: string
}

type Call = ESTree.CallExpression

/**
 * Gives the calls of `cached()` at the top level of a module a third argument: a name of their
 * own. Inside of functions a call has none, for what it captures would be no part of its key.
 * @returns `null` where there is no such call
 */
export function nameCachedCalls({ code, ast, file }: CallingModule): string | null {
  const local = importedName(ast)
  if (local === null) return null
  const calls: Call[] = []
  for (const statement of ast.body) visitTopLevel(statement, local, calls)
  if (calls.length === 0) return null
  let named = code
  // From the last on: what stands before keeps its place.
  for (const [index, call] of [...calls.entries()].reverse()) {
    const [first, second] = call.arguments
    const last = second ?? first
    if (!last) continue
    const name = JSON.stringify(`${file}#${index}`)
    const inserted = second ? `, ${name}` : `, undefined, ${name}`
    named = named.slice(0, last.end) + inserted + named.slice(last.end)
  }
  return named
}

/** What the module calls the function, if it imports it. */
function importedName(ast: ESTree.Program): string | null {
  for (const statement of ast.body) {
    if (statement.type !== 'ImportDeclaration' || statement.source.value !== 'waymark/server')
      continue
    for (const specifier of statement.specifiers) {
      if (specifier.type !== 'ImportSpecifier') continue
      const { imported, local } = specifier
      if (imported.type === 'Identifier' && imported.name === 'cached') return local.name
    }
  }
  return null
}

/** Collects calls, outside of functions and classes; in the order of the source. */
function visitTopLevel(node: unknown, local: string, calls: Call[]): void {
  if (Array.isArray(node)) {
    for (const each of node) visitTopLevel(each, local, calls)
    return
  }
  if (!isNode(node) || /Function|Class/.test(node.type)) return
  if (node.type === 'CallExpression') {
    const call = node as unknown as Call
    const { callee } = call
    if (callee.type === 'Identifier' && callee.name === local && call.arguments.length < 3)
      calls.push(call)
  }
  for (const child of Object.values(node)) visitTopLevel(child, local, calls)
}

function isNode(value: unknown): value is { readonly type: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { type?: unknown }).type === 'string'
  )
}

/** A module to be transformed. */
export type DirectiveModule = {
  readonly code: string
  readonly ast: ESTree.Program
  /** Relative to the project's root: part of the names of its functions. */
  readonly file: string
  /** Exports `cachedByDirective`. */
  readonly runtime: string
}

const directive = 'use cache'

/**
 * Wraps the functions that say `'use cache'`, or all that a file exports that says it. What a
 * function captures becomes an argument of it.
 * @returns `null` where nothing says it
 */
export function wrapDirectives(
  module: DirectiveModule,
): { code: string; map: Rollup.SourceMapInput } | null {
  const { code, ast, file } = module
  const wrap = (value: string, name: string) =>
    `$$cachedByDirective(${value}, ${JSON.stringify(`${file}#${name}`)})`
  const isWhole = hasDirective(ast.body, directive)
  const { output, names } = isWhole
    ? wrapExports(code, ast, wrap)
    : transformHoistInlineDirective(code, ast, {
        directive,
        runtime: wrap,
        rejectNonAsyncFunction: true,
        noExport: true,
        // Once: in the dev server, each wrapping makes a name of its own.
        hoistRuntime: true,
      })
  if (!isWhole && names.length === 0) return null
  // Behind the rest: a directive for the whole file has to stay the first.
  output.append(
    `\nimport { cachedByDirective as $$cachedByDirective } from ${JSON.stringify(module.runtime)};\n`,
  )
  const map = output.generateMap({ hires: 'boundary', source: file, includeContent: true })
  return { code: names.reduce(renamed, output.toString()), map }
}

function wrapExports(
  code: string,
  ast: ESTree.Program,
  wrap: (value: string, name: string) => string,
) {
  const { output } = transformWrapExport(code, ast, {
    runtime: wrap,
    rejectNonAsyncFunction: true,
    filter: (_name, { isFunction }) => isFunction !== false,
  })
  return { output, names: [] as string[] }
}

// Server functions are hoisted under such names, too. These are as long, so that the map holds.
function renamed(code: string, name: string): string {
  return code.replaceAll(name, () => `$$cache_${name.slice('$$hoist_'.length)}`)
}
