import { parseSync } from 'vite'

/**
 * Changes a module with `'use client'` so that its components record which fields of their
 * properties they read. Each exported component stays the same function with the same name; its
 * first parameter becomes `recordReads(parameter, …)`.
 *
 * @param file path relative to the app's root
 * @param recorder specifier of the module that exports `recordReads`
 * @returns `null` if the module has no component that can be changed
 */
export function observeReads(code: string, file: string, recorder: string): string | null {
  const { program } = parseSync(file, code)
  if (!program.body.some(isUseClient)) return null
  const declarations = new Map(program.body.flatMap(namedDeclarations))
  const components = new Map<FunctionNode, string[]>()
  for (const { exportName, node } of program.body.flatMap(exportedValues)) {
    if (!/^[A-Z]/.test(exportName) && exportName !== 'default') continue
    const component = findFunction(node, declarations)
    if (!component) continue
    components.set(component, [...(components.get(component) ?? []), `${file} ${exportName}`])
  }
  const isTyped = /tsx?$/.test(file)
  const edits = [...components].flatMap(([node, keys]) =>
    observeFunction(node, keys, { code, isTyped }),
  )
  if (edits.length === 0) return null
  const lines = applyEdits(code, edits)
  // The import is at the end, so that all lines keep their numbers.
  return `${lines}\nimport { recordReads as ${recordName} } from ${JSON.stringify(recorder)}\n`
}

const recordName = '__waymarkRecordReads'
const propsName = '__waymarkProps'

// oxc's types describe all of TypeScript; only a few nodes matter here.
type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  // biome-ignore lint/suspicious/noExplicitAny: nodes have different fields for each type
  Record<string, any>
>
type FunctionNode = Node

type Edit = { readonly start: number; readonly end: number; readonly text: string }

function isUseClient(node: Node): boolean {
  return node.directive === 'use client'
}

/** Lists the functions and variables that a statement declares. */
function namedDeclarations(node: Node): [string, Node][] {
  const declared = node.declaration ?? node
  if (declared.type === 'FunctionDeclaration' && declared.id) return [[declared.id.name, declared]]
  if (declared.type !== 'VariableDeclaration') return []
  return declared.declarations.flatMap(({ id, init }: Node): [string, Node][] => {
    return id.type === 'Identifier' && init ? [[id.name, init]] : []
  })
}

function exportedValues(node: Node): { readonly exportName: string; readonly node: Node }[] {
  if (node.type === 'ExportDefaultDeclaration') {
    return [{ exportName: 'default', node: node.declaration }]
  }
  if (node.type !== 'ExportNamedDeclaration' || node.source) return []
  const declared = node.declaration
    ? namedDeclarations(node).map(([exportName, each]) => ({ exportName, node: each }))
    : []
  const named = (node.specifiers ?? []).map(({ exported, local }: Node) => ({
    exportName: exported.name ?? exported.value,
    node: local,
  }))
  return [...declared, ...named]
}

/** Finds the function of a component, also within calls such as `memo(…)` and `forwardRef(…)`. */
function findFunction(
  node: Node | undefined,
  declarations: ReadonlyMap<string, Node>,
  depth = 0,
): FunctionNode | null {
  if (!node || depth > 10) return null
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return node.generator ? null : node
    case 'CallExpression':
      return findFunction(node.arguments[0], declarations, depth + 1)
    case 'Identifier':
      return findFunction(declarations.get(node.name), declarations, depth + 1)
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return findFunction(node.expression, declarations, depth + 1)
    default:
      return null
  }
}

function observeFunction(
  node: FunctionNode,
  keys: readonly string[],
  { code, isTyped }: { readonly code: string; readonly isTyped: boolean },
): Edit[] {
  const [first, ...others] = node.params as Node[]
  // The default value of another parameter may use the first one.
  const isUnusual = others.some(({ type }) => type === 'AssignmentPattern')
  if (!first || !node.body || isUnusual || first.type === 'RestElement') return []
  const left = first.type === 'AssignmentPattern' ? first.left : first
  const target = left.optional ? left.name : code.slice(left.start, left.end)
  const recorded = `${recordName}(${propsName}, ${JSON.stringify(keys)})`
  const value =
    first.type === 'AssignmentPattern'
      ? `${propsName} === undefined ? ${code.slice(first.right.start, first.right.end)} : ${recorded}`
      : recorded
  // If the parameter spans lines, the declaration does too, so the lines below keep their numbers.
  const declaration = `let ${target} = ${value};`
  const parameter = isTyped ? `${propsName}: any` : propsName
  const hasParentheses = code.slice(node.start, first.start).includes('(')
  const edits: Edit[] = [
    { start: first.start, end: first.end, text: hasParentheses ? parameter : `(${parameter})` },
  ]
  const { body } = node
  if (body.type !== 'BlockStatement') {
    return [
      ...edits,
      { start: body.start, end: body.start, text: `{ ${declaration} return (` },
      { start: body.end, end: body.end, text: ') }' },
    ]
  }
  const directives = body.body.filter((each: Node) => each.directive)
  const at = directives.at(-1)?.end ?? body.start + 1
  // A directive can be without a semicolon.
  const separator = directives.length > 0 ? ';' : ''
  return [...edits, { start: at, end: at, text: `${separator} ${declaration}` }]
}

function applyEdits(code: string, edits: readonly Edit[]): string {
  const sorted = [...edits].sort((a, b) => b.start - a.start || b.end - a.end)
  return sorted.reduce((text, { start, end, text: added }) => {
    return text.slice(0, start) + added + text.slice(end)
  }, code)
}
