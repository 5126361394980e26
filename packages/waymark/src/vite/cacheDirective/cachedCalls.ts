import type { ESTree } from 'vite'

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
