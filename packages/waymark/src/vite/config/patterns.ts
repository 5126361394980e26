import type { ESTree } from 'vite'

type Scope = { readonly start: number; readonly end: number; readonly isFunction: boolean }

type Shadow = { readonly name: string; readonly start: number; readonly end: number }

/**
 * Finds the functions and blocks of a module that redeclare an imported name.
 *
 * @param names names of the module's imports
 * @returns a function that returns true if the name at a position refers to a redeclaration rather
 *   than to the import
 */
export function findShadows(
  program: ESTree.Program,
  names: ReadonlySet<string>,
): (name: string, position: number) => boolean {
  const shadows: Shadow[] = []

  function declare(pattern: ESTree.Node | null, scope: Scope | null): void {
    // At the top level, a redeclaration would be a syntax error.
    if (!scope) return
    for (const leaf of leavesOf(pattern)) {
      if (leaf.type !== 'Identifier' || !names.has(leaf.name)) continue
      shadows.push({ name: leaf.name, start: scope.start, end: scope.end })
    }
  }

  function visit(value: unknown, scopes: readonly Scope[]): void {
    if (Array.isArray(value)) for (const item of value) visit(item, scopes)
    if (!isNode(value)) return
    const around = scopes.at(-1) ?? null
    const scope = scopeOf(value)
    const inner = scope ? [...scopes, scope] : scopes
    switch (value.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        declare(value.id, value.type === 'FunctionDeclaration' ? around : scope)
        for (const param of value.params) declare(param, scope)
        break
      case 'ClassDeclaration':
      case 'ClassExpression':
        declare(value.id, value.type === 'ClassDeclaration' ? around : scope)
        break
      case 'CatchClause':
        declare(value.param, scope)
        break
      case 'VariableDeclaration': {
        const ofFunction = scopes.findLast(({ isFunction }) => isFunction) ?? null
        const owner = value.kind === 'var' ? ofFunction : around
        for (const { id } of value.declarations) declare(id, owner)
        break
      }
    }
    for (const child of Object.values(value)) visit(child, inner)
  }

  visit(program, [])
  return (name, position) =>
    shadows.some((each) => each.name === name && each.start <= position && position < each.end)
}

function scopeOf({ type, start, end }: ESTree.Node): Scope | null {
  switch (type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'StaticBlock':
      return { start, end, isFunction: true }
    case 'BlockStatement':
    case 'CatchClause':
    case 'ClassDeclaration':
    case 'ClassExpression':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'ForStatement':
    case 'SwitchStatement':
      return { start, end, isFunction: false }
    default:
      return null
  }
}

/** Lists the names and members that a pattern assigns: `a` and `b.c` for `{ a, d: [b.c] }`. */
export function leavesOf(pattern: ESTree.Node | null): ESTree.Node[] {
  if (pattern === null) return []
  switch (pattern.type) {
    case 'ObjectPattern':
      return pattern.properties.flatMap((each) =>
        leavesOf(each.type === 'RestElement' ? each : each.value),
      )
    case 'ArrayPattern':
      return pattern.elements.flatMap(leavesOf)
    case 'AssignmentPattern':
      return leavesOf(pattern.left)
    case 'RestElement':
      return leavesOf(pattern.argument)
    case 'VariableDeclaration':
      return pattern.declarations.flatMap(({ id }) => leavesOf(id))
    default:
      return [pattern]
  }
}

export function isNode(value: unknown): value is ESTree.Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
