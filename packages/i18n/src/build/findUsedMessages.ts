import type { ESTree } from 'vite'

/** The messages that a module uses. */
export type ModuleUse = {
  /** Keys of messages and of groups; `true` for all messages. */
  readonly keys: readonly string[] | true
  /** Places where the code computes a key, as offsets, so that a whole group is needed. */
  readonly computedAt: readonly number[]
}

const entry = '@waymark/i18n'

type Node = ESTree.Node & { readonly start: number }

/**
 * Finds the messages that a module uses: the literal keys of its calls, or a whole group where the
 * code computes a key or passes the function on.
 * @returns `null` if the module doesn't import this package
 */
export function findUsedMessages(ast: ESTree.Program): ModuleUse | null {
  const imported = findImport(ast)
  if (imported === null) return null
  const keys = new Set<string>()
  const computedAt: number[] = []
  let usesAll = false

  function need(namespace: string, key: string | null, at: number): void {
    if (key !== null) keys.add(joined(namespace, key))
    else {
      computedAt.push(at)
      if (namespace === '') usesAll = true
      else keys.add(namespace)
    }
  }

  // First find the variables with a translate function, and their groups.
  const groups = new Map<string, Set<string>>()
  const handled = new Set<ESTree.Node>()
  visit(ast, (node) => {
    const call = node.type === 'VariableDeclarator' ? hookCall(node.init, imported) : null
    if (call === null || node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return
    const namespace = namespaceOf(call)
    if (namespace === null) return
    handled.add(node.id)
    handled.add(call)
    handled.add(call.callee)
    groups.set(node.id.name, (groups.get(node.id.name) ?? new Set()).add(namespace))
  })

  visit(ast, (node, parent) => {
    if (node.type === 'CallExpression') {
      const callee = calleeOf(node.callee)
      const namespaces = callee && groups.get(callee.name)
      if (!callee || !namespaces) return
      handled.add(callee)
      for (const key of keysOf(node.arguments[0])) {
        for (const namespace of namespaces) {
          if (typeof key === 'string') need(namespace, key, node.start)
          else need(joined(namespace, key?.prefix ?? ''), null, node.start)
        }
      }
    } else if (node.type === 'Identifier' && !handled.has(node) && isReference(node, parent)) {
      // The function is passed on, so any of its messages may be used.
      for (const namespace of groups.get(node.name) ?? []) need(namespace, null, node.start)
      if (imported.hooks.has(node.name)) need('', null, node.start)
    } else if (reexports(node) || isLaterImport(node)) {
      need('', null, node.start)
    } else if (node.type === 'MemberExpression' && isNamespaceMember(node, imported.namespace)) {
      need('', null, node.start)
    }
  })
  return { keys: usesAll ? true : [...keys], computedAt }
}

type Imported = { readonly hooks: ReadonlySet<string>; readonly namespace: string | null }

function findImport(ast: ESTree.Program): Imported | null {
  const hooks = new Set<string>()
  let namespace: string | null = null
  let isImported = importsLater(ast)
  for (const statement of ast.body) {
    const isFrom = 'source' in statement && statement.source?.value === entry
    if (!isFrom) continue
    isImported ||= !('importKind' in statement && statement.importKind === 'type')
    if (statement.type !== 'ImportDeclaration') continue
    for (const specifier of statement.specifiers) {
      if (specifier.type === 'ImportNamespaceSpecifier') namespace = specifier.local.name
      if (specifier.type !== 'ImportSpecifier') continue
      const { imported } = specifier
      const name = imported.type === 'Identifier' ? imported.name : imported.value
      if (name === 'useTranslations') hooks.add(specifier.local.name)
    }
  }
  return isImported ? { hooks, namespace } : null
}

function hookCall(
  init: ESTree.Expression | null | undefined,
  { hooks }: Imported,
): ESTree.CallExpression | null {
  const call = init?.type === 'CallExpression' ? init : null
  return call?.callee.type === 'Identifier' && hooks.has(call.callee.name) ? call : null
}

/** Returns a call's group, an empty string without a group, or `null` if the code computes it. */
function namespaceOf({ arguments: [first] }: ESTree.CallExpression): string | null {
  if (first === undefined) return ''
  return first.type === 'Literal' && typeof first.value === 'string' ? first.value : null
}

/** Returns the variable of `t()`, `t.rich()`, `t.markup()` or `t.has()`. */
function calleeOf(callee: ESTree.Node): ESTree.IdentifierReference | null {
  if (callee.type === 'Identifier') return callee as ESTree.IdentifierReference
  if (callee.type !== 'MemberExpression' || callee.computed) return null
  const isKnown =
    callee.property.type === 'Identifier' && /^(?:rich|markup|has)$/.test(callee.property.name)
  return isKnown && callee.object.type === 'Identifier'
    ? (callee.object as ESTree.IdentifierReference)
    : null
}

/** The start of a key that the code computes, such as `status` for `status.${name}`. */
type KeyPrefix = { readonly prefix: string }

function keysOf(argument: ESTree.Node | undefined): (string | KeyPrefix | null)[] {
  switch (argument?.type) {
    case 'Literal':
      return [typeof argument.value === 'string' ? argument.value : null]
    case 'ConditionalExpression':
      return [...keysOf(argument.consequent), ...keysOf(argument.alternate)]
    case 'TSAsExpression':
    case 'ParenthesizedExpression':
      return keysOf(argument.expression)
    case 'TemplateLiteral': {
      const [first] = argument.quasis
      const start = first?.value.cooked ?? ''
      if (argument.expressions.length === 0) return [start]
      const end = start.lastIndexOf('.')
      return [end === -1 ? null : { prefix: start.slice(0, end) }]
    }
    default:
      return [null]
  }
}

function isNamespaceMember(node: ESTree.MemberExpression, namespace: string | null): boolean {
  if (namespace === null || node.object.type !== 'Identifier') return false
  if (node.object.name !== namespace) return false
  return (
    node.computed ||
    (node.property.type === 'Identifier' && node.property.name === 'useTranslations')
  )
}

/** True if other modules can import `useTranslations` from this one, where their calls aren't found. */
function reexports(node: ESTree.Node): boolean {
  if (node.type === 'ExportAllDeclaration') return node.source.value === entry
  if (node.type !== 'ExportNamedDeclaration' || node.source?.value !== entry) return false
  return node.specifiers.some(
    ({ local }) => (local.type === 'Literal' ? local.value : local.name) === 'useTranslations',
  )
}

/** True for `import('@waymark/i18n')`, whose result can be passed anywhere. */
function isLaterImport(node: ESTree.Node): boolean {
  return (
    node.type === 'ImportExpression' &&
    node.source.type === 'Literal' &&
    node.source.value === entry
  )
}

function importsLater(ast: ESTree.Program): boolean {
  let isFound = false
  visit(ast, (node) => {
    isFound ||= isLaterImport(node)
  })
  return isFound
}

/** False for an identifier that names a property, an import or a declaration. */
function isReference(node: ESTree.Node, parent: ESTree.Node | null): boolean {
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.object === node || parent.computed
    case 'Property':
      return parent.value === node || parent.computed
    case 'ImportSpecifier':
      return false
    default:
      return true
  }
}

function joined(namespace: string, key: string): string {
  return namespace === '' || key === '' ? namespace + key : `${namespace}.${key}`
}

function visit(
  node: ESTree.Node,
  enter: (node: Node, parent: ESTree.Node | null) => void,
  parent: ESTree.Node | null = null,
): void {
  enter(node as Node, parent)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) visit(child, enter, node)
    }
  }
}

function isNode(value: unknown): value is ESTree.Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
