import type { ESTree } from 'vite'

/** A statement at the top level of a module. */
export type Statement = {
  /** Names that it declares or assigns: who uses one uses what the statement mentions. */
  readonly declares: ReadonlySet<string>
  /** Identifiers in it; members of a namespace as `ns.name`. */
  readonly mentions: ReadonlySet<string>
  /** Specifiers of `import()`. */
  readonly loads: ReadonlySet<string>
  /** It declares nothing: it may store what it mentions anywhere. */
  readonly isEffect: boolean
}

type Node = { readonly type: string } & Readonly<Record<string, unknown>>

type Reading = {
  readonly namespaces: ReadonlySet<string>
  readonly declares: Set<string>
  readonly mentions: Set<string>
  readonly loads: Set<string>
}

/**
 * Reads a statement at the top level of a module, or its default export.
 * @param namespaces names of `import * as`
 * @returns `null` for statements that plugin-rsc adds: they use nothing
 */
export function readStatement(
  statement: ESTree.Statement | ESTree.ExportDefaultDeclaration['declaration'],
  namespaces: ReadonlySet<string>,
): Statement | null {
  if (isRegistration(statement)) return null
  const declares = new Set(declaredNames(statement))
  const [mentions, loads] = [new Set<string>(), new Set<string>()]
  visit(statement, { namespaces, declares, mentions, loads })
  return { declares, mentions, loads, isEffect: !isDeclaring(statement) || declares.size === 0 }
}

const registrations = new Set(['registerServerReference', 'registerClientReference'])

// `$$ReactServer.registerServerReference(save, …)`: it gives an action its id.
function isRegistration(node: ESTree.Node): boolean {
  const callee = calleeOf(node)
  return callee?.type === 'MemberExpression' && registrations.has(propertyOf(callee) ?? '')
}

function isDeclaring(node: ESTree.Node): boolean {
  if (/^(?:Function|Class|Variable)Declaration$/.test(node.type)) return true
  if (node.type !== 'ExpressionStatement') return false
  return node.expression.type === 'AssignmentExpression' || isPropertyAssignment(node)
}

/** Names that a statement declares; of `Object.assign(target, …)` and the like, the target. */
export function declaredNames(node: ESTree.Node | null): string[] {
  switch (node?.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return node.id ? [node.id.name] : []
    case 'VariableDeclaration':
      return node.declarations.flatMap(({ id }) => boundNames(id))
    case 'ExpressionStatement':
      return isPropertyAssignment(node) ? boundNames(argumentsOf(node)[0]) : []
    default:
      return []
  }
}

const assigners = new Set(['assign', 'defineProperty', 'defineProperties'])

// Calls with which fast refresh registers components in the dev server.
const reloading = /^(?:\$RefreshReg\$|_s\d*)$/

/** Tells whether a statement is a call that only changes its first argument. */
function isPropertyAssignment(node: ESTree.Node): boolean {
  const callee = calleeOf(node)
  if (callee?.type === 'Identifier') return reloading.test(callee.name)
  if (callee?.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return false
  return callee.object.name === 'Object' && assigners.has(propertyOf(callee) ?? '')
}

function calleeOf(node: ESTree.Node): ESTree.Expression | null {
  if (node.type !== 'ExpressionStatement' || node.expression.type !== 'CallExpression') return null
  return node.expression.callee
}

function argumentsOf(node: ESTree.ExpressionStatement): readonly ESTree.Node[] {
  return node.expression.type === 'CallExpression' ? node.expression.arguments : []
}

function propertyOf({ property, computed }: ESTree.MemberExpression): string | null {
  return !computed && property.type === 'Identifier' ? property.name : null
}

/** Names that a pattern binds, or the first name of an assignment's target. */
function boundNames(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(boundNames)
  if (!isNode(node)) return []
  if (node.type === 'Identifier') return [String(node.name)]
  if (node.type === 'MemberExpression') return boundNames(node.object)
  if (node.type === 'Property') return boundNames(node.value)
  if (node.type === 'AssignmentPattern') return boundNames(node.left)
  return [node.properties, node.elements, node.argument].flatMap(boundNames)
}

function visit(node: unknown, reading: Reading): void {
  if (Array.isArray(node)) {
    for (const each of node) visit(each, reading)
    return
  }
  if (!isNode(node)) return
  switch (node.type) {
    case 'Identifier':
    case 'JSXIdentifier':
      reading.mentions.add(String(node.name))
      return
    case 'MemberExpression':
      visitMember(node, reading)
      return
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      if (node.computed) visit(node.key, reading)
      visit(node.value, reading)
      return
    case 'AssignmentExpression':
      for (const name of boundNames(node.left)) reading.declares.add(name)
      break
    case 'ImportExpression':
      if (isNode(node.source) && typeof node.source.value === 'string') {
        reading.loads.add(node.source.value)
      }
  }
  for (const child of Object.values(node)) visit(child, reading)
}

function visitMember(node: Node, reading: Reading): void {
  const { object, property, computed } = node
  if (computed) visit(property, reading)
  const name = isNode(object) && object.type === 'Identifier' ? String(object.name) : null
  const isMember = name !== null && !computed && reading.namespaces.has(name) && isNode(property)
  if (isMember) reading.mentions.add(`${name}.${property.name}`)
  else visit(object, reading)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
