import { type ESTree, type Plugin, parseAstAsync } from 'vite'
import { frameworkFile, frameworkFolder } from '../config/frameworkFiles.ts'
import { findShadows, isNode, leavesOf } from '../config/patterns.ts'

const replacement = '__waymark_lazy'
const reactLazy = '__react_lazy'

/**
 * In the client code of the app and of packages built on Waymark, replaces React's `lazy` with
 * Waymark's. Other packages keep React's.
 */
export function lazyComponentsPlugin(): Plugin {
  return {
    name: 'waymark:lazy-components',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: {
        id: { exclude: [`${frameworkFolder}**`, /\/node_modules\/(?!@waymark\/)|\0/] },
        code: /\blazy\b/,
      },
      async handler(code) {
        const replaced = await replaceLazy(code)
        return replaced === null ? null : { code: replaced, map: null }
      },
    },
  }
}

type Edit = { readonly start: number; readonly end: number; readonly text: string }

/**
 * Replaces each use of React's `lazy`, whether it is imported, re-exported, or read as a member.
 * @param code JavaScript; line numbers don't change
 * @returns `null` if the code doesn't use `lazy`
 */
export async function replaceLazy(code: string): Promise<string | null> {
  const program = await parseAstAsync(code)
  const edits: Edit[] = []
  const modules = new Set<string>()
  const imports: string[] = []
  const exports: string[] = []
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration' && statement.source.value === 'react') {
      for (const specifier of statement.specifiers) {
        const imported = importedName(specifier)
        if (imported === '*' || imported === 'default') modules.add(specifier.local.name)
        if (imported !== 'lazy') continue
        imports.push(`lazy as ${specifier.local.name}`)
        edits.push({ ...rangeOf(specifier), text: `lazy as ${reactLazy}${imports.length}` })
      }
    }
    if (statement.type === 'ExportNamedDeclaration' && statement.source?.value === 'react') {
      const lazy = statement.specifiers.filter(({ local }) => nameOf(local) === 'lazy')
      if (lazy.length === 0) continue
      exports.push(...lazy.map(({ exported }) => `lazy as ${textOf(code, exported)}`))
      const others = statement.specifiers.filter((each) => !lazy.includes(each))
      edits.push({ ...rangeOf(statement), text: exportOf(others, textOf(code, statement), code) })
    }
  }
  const reads = modules.size > 0 ? findReads(program, modules) : []
  if (reads.length > 0) imports.push(`lazy as ${replacement}`)
  edits.push(...reads)
  if (edits.length === 0) return null
  const from = `from ${JSON.stringify(frameworkFile('lazy'))}`
  const lines = [
    ...(imports.length > 0 ? [`import { ${imports.join(', ')} } ${from}`] : []),
    ...(exports.length > 0 ? [`export { ${exports.join(', ')} } ${from}`] : []),
  ]
  return `${applyEdits(code, edits)}\n${lines.join('\n')}\n`
}

function importedName(specifier: ESTree.ImportDeclarationSpecifier): string {
  if (specifier.type === 'ImportNamespaceSpecifier') return '*'
  if (specifier.type === 'ImportDefaultSpecifier') return 'default'
  return nameOf(specifier.imported)
}

function nameOf(name: ESTree.ModuleExportName): string {
  return name.type === 'Literal' ? name.value : name.name
}

/** Formats a re-export from React with the same number of lines as before. */
function exportOf(
  specifiers: readonly ESTree.ExportSpecifier[],
  written: string,
  code: string,
): string {
  const names = specifiers.map((each) => textOf(code, each)).join(', ')
  const end = written.endsWith(';') ? ';' : ''
  return `export { ${names} } from 'react'${end}${written.replace(/[^\n]/g, '')}`
}

/**
 * Finds uses of `React.lazy`, and of `React` in destructuring: `const { lazy } = React`. If the
 * module itself assigns `React.lazy`, its uses stay unchanged.
 * @param modules names under which the module imports React
 */
function findReads(program: ESTree.Program, modules: ReadonlySet<string>): Edit[] {
  const isShadowed = findShadows(program, modules)
  const reads: (Edit & { readonly name: string })[] = []
  const assigned = new Set<string>()

  const moduleName = (node: ESTree.Node | null): string | null =>
    node?.type === 'Identifier' && modules.has(node.name) && !isShadowed(node.name, node.start)
      ? node.name
      : null

  function assign(target: ESTree.Node): void {
    for (const leaf of leavesOf(target)) {
      const name = isLazyMember(leaf) ? moduleName(leaf.object) : null
      if (name !== null) assigned.add(name)
    }
  }

  function take(pattern: ESTree.Node, source: ESTree.Node | null): void {
    const name = takesLazy(pattern) ? moduleName(source) : null
    if (name === null || source === null) return
    reads.push({ ...rangeOf(source), name, text: `{ ...${name}, lazy: ${replacement} }` })
  }

  function visit(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) visit(item)
    if (!isNode(value)) return
    switch (value.type) {
      case 'MemberExpression': {
        const name = isLazyMember(value) ? moduleName(value.object) : null
        if (name !== null) reads.push({ ...rangeOf(value), name, text: replacement })
        break
      }
      case 'VariableDeclarator':
        take(value.id, value.init)
        break
      case 'AssignmentPattern':
        take(value.left, value.right)
        break
      case 'AssignmentExpression':
        assign(value.left)
        take(value.left, value.right)
        break
      case 'UpdateExpression':
      case 'UnaryExpression':
        if (changingOperators.has(value.operator)) assign(value.argument)
        break
      case 'ForInStatement':
      case 'ForOfStatement':
        assign(value.left)
        break
    }
    for (const child of Object.values(value)) visit(child)
  }

  visit(program)
  return reads.filter(({ name }) => !assigned.has(name))
}

const changingOperators = new Set<string>(['++', '--', 'delete'])

function isLazyMember(node: ESTree.Node): node is ESTree.MemberExpression {
  return node.type === 'MemberExpression' && isLazyKey(node.property, node.computed)
}

function takesLazy(pattern: ESTree.Node): boolean {
  if (pattern.type !== 'ObjectPattern') return false
  return pattern.properties.some(
    (each) => each.type === 'Property' && isLazyKey(each.key, each.computed),
  )
}

function isLazyKey(key: ESTree.Node, isComputed: boolean): boolean {
  if (key.type === 'Literal') return key.value === 'lazy'
  return !isComputed && key.type === 'Identifier' && key.name === 'lazy'
}

function rangeOf({ start, end }: { readonly start: number; readonly end: number }) {
  return { start, end }
}

function textOf(code: string, { start, end }: { readonly start: number; readonly end: number }) {
  return code.slice(start, end)
}

function applyEdits(code: string, edits: readonly Edit[]): string {
  let edited = code
  for (const { start, end, text } of edits.toSorted((one, other) => other.start - one.start)) {
    edited = edited.slice(0, start) + text + edited.slice(end)
  }
  return edited
}
