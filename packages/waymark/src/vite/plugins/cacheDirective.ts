import path from 'node:path'
import {
  hasDirective,
  transformHoistInlineDirective,
  transformWrapExport,
} from '@vitejs/plugin-rsc/transforms'
import { type ESTree, normalizePath, type Plugin, parseAstAsync, type Rollup } from 'vite'
import { ownFile, ownFolder } from '../config/ownFiles.ts'

const runtime = ownFile('cached')

const bundledFiles = /[\\/]\.vite[\\/]deps/

/**
 * Turns functions with `'use cache'` into cached ones, and names each call of `cached()` at the top
 * level of a module. A name is a file and a place in it: equal sources have equal names.
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
        // Large, and without a directive.
        id: { exclude: [`${ownFolder}**`, bundledFiles] },
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
            `${file} says 'use cache', but runs in browsers. Move the function to a file for the server.`,
          )
        }
        if (wrapped) return wrapped
        const named = name === 'rsc' ? nameCachedCalls({ code, ast, file }) : null
        // Only columns behind a name, in its line, are off.
        return named === null ? null : { code: named, map: null }
      },
    },
  }
}

export type ParsedModule = {
  readonly code: string
  readonly ast: ESTree.Program
  /** Relative to the project's root: part of the names. */
  readonly file: string
}

type Call = ESTree.CallExpression

/**
 * Gives the calls of `cached()` at the top level of a module a third argument: their name. Calls
 * inside functions get none, since what they capture would not be part of the key.
 * @returns `null` without such a call
 */
export function nameCachedCalls({ code, ast, file }: ParsedModule): string | null {
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
  return typeof (value as { type?: unknown } | null)?.type === 'string'
}

const directive = 'use cache'

/**
 * Wraps the functions with `'use cache'`, or all exports of a file that has it. What a function
 * captures becomes an argument.
 * @param runtime module that exports `cachedByDirective`
 * @returns `null` without a directive
 */
export function wrapDirectives({
  code,
  ast,
  file,
  runtime,
}: ParsedModule & { readonly runtime: string }): {
  code: string
  map: Rollup.SourceMapInput
} | null {
  const wrap = (value: string, name: string) =>
    `$$cachedByDirective(${value}, ${JSON.stringify(`${file}#${name}`)})`
  const isWhole = hasDirective(ast.body, directive)
  const { output, names } = isWhole
    ? {
        names: [],
        ...transformWrapExport(code, ast, {
          runtime: wrap,
          rejectNonAsyncFunction: true,
          filter: (_name, { isFunction }) => isFunction !== false,
        }),
      }
    : transformHoistInlineDirective(code, ast, {
        directive,
        runtime: wrap,
        rejectNonAsyncFunction: true,
        noExport: true,
        // Once: in the dev server, each wrapping creates a name.
        hoistRuntime: true,
      })
  if (!isWhole && names.length === 0) return null
  // The bundler warns of a directive that it does not know.
  const obeyed =
    isWhole && ast.body.find((node) => 'directive' in node && node.directive === directive)
  if (obeyed) output.remove(obeyed.start, obeyed.end)
  // At the end: a directive for the whole file has to come first.
  output.append(
    `\nimport { cachedByDirective as $$cachedByDirective } from ${JSON.stringify(runtime)};\n`,
  )
  const map = output.generateMap({ hires: 'boundary', source: file, includeContent: true })
  return { code: names.reduce(renamed, output.toString()), map }
}

// Server functions are hoisted under such names, too. These are as long, so that the map holds.
function renamed(code: string, name: string): string {
  return code.replaceAll(name, () => `$$cache_${name.slice('$$hoist_'.length)}`)
}
