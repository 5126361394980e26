import path from 'node:path'
import { type ESTree, normalizePath, type Plugin, parseAstAsync } from 'vite'
import { frameworkFolder } from '../config/frameworkFiles.ts'

const bundledFiles = /[\\/]\.vite[\\/]deps/

/**
 * Names each call to `cached()` at the top level of a module after the file's path and the call's
 * number in the file. The same source therefore always gets the same names.
 */
export function cachedNamesPlugin(): Plugin {
  let root = ''
  return {
    name: 'waymark:cached-names',
    applyToEnvironment: ({ name }) => name === 'rsc',
    configResolved(config) {
      root = config.root
    },
    transform: {
      filter: {
        // Skip large files in which no call needs a name.
        id: { exclude: [`${frameworkFolder}**`, bundledFiles] },
        code: /\bcached\b/,
      },
      async handler(code, id) {
        const file = normalizePath(path.relative(root, id.replace(/[?#].*$/, '')))
        const named = nameCachedCalls({ code, ast: await parseAstAsync(code), file })
        // The inserted name only moves code on the same line, so there is no need for a source map.
        return named === null ? null : { code: named, map: null }
      },
    },
  }
}

export type ParsedModule = {
  readonly code: string
  readonly ast: ESTree.Program
  /** Path relative to the project's root, which is part of the names. */
  readonly file: string
}

type Call = ESTree.CallExpression

/**
 * Adds a name as the third argument to each call to `cached()` at the top level of a module. A call
 * inside a function gets no name, because the values that it captures wouldn't be part of the cache
 * key.
 * @returns `null` if there is no such call
 */
export function nameCachedCalls({ code, ast, file }: ParsedModule): string | null {
  const local = importedName(ast)
  if (local === null) return null
  const calls: Call[] = []
  for (const statement of ast.body) visitTopLevel(statement, local, calls)
  if (calls.length === 0) return null
  let named = code
  // Insert from the end, so that earlier positions stay valid.
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

/** Collects calls outside functions and classes, in the order of the source. */
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
