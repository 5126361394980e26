import { type ESTree, type Plugin, parseAstAsync } from 'vite'
import { ownFile, ownFolder } from '../config/ownFiles.ts'

const replacement = '__waymark_lazy'
const reactsOwn = '__react_lazy'

/**
 * Puts Waymark's `lazy` in the place of React's in the client code of an app and of the packages
 * built on Waymark. Other packages keep React's `lazy`.
 */
export function lazyComponentsPlugin(): Plugin {
  return {
    name: 'waymark:lazy-components',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: {
        id: { exclude: [`${ownFolder}**`, /\/node_modules\/(?!@waymark\/)|\0/] },
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
 * Replaces each use of React's `lazy`, imported by its name or as a member of the module.
 * @param code JavaScript; lines stay where they are
 * @returns `null` for code that does not use it
 */
export async function replaceLazy(code: string): Promise<string | null> {
  const program = await parseAstAsync(code)
  const edits: Edit[] = []
  const modules = new Set<string>()
  const locals: string[] = []
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration' || statement.source.value !== 'react') continue
    for (const specifier of statement.specifiers) {
      const imported = importedName(specifier)
      if (imported === '*' || imported === 'default') modules.add(specifier.local.name)
      if (imported !== 'lazy') continue
      locals.push(specifier.local.name)
      edits.push({ ...rangeOf(specifier), text: `lazy as ${reactsOwn}${locals.length}` })
    }
  }
  if (modules.size > 0) collectMembers(program, modules, edits)
  if (edits.length === 0) return null
  const usesMember = edits.length > locals.length
  const names = [...locals, ...(usesMember ? [replacement] : [])].map((local) => `lazy as ${local}`)
  const line = `import { ${names.join(', ')} } from ${JSON.stringify(ownFile('lazy'))}`
  return `${applyEdits(code, edits)}\n${line}\n`
}

function importedName(specifier: ESTree.ImportDeclarationSpecifier): string {
  if (specifier.type === 'ImportNamespaceSpecifier') return '*'
  if (specifier.type === 'ImportDefaultSpecifier') return 'default'
  const { imported } = specifier
  return imported.type === 'Literal' ? imported.value : imported.name
}

/** Finds `React.lazy`. */
function collectMembers(node: unknown, modules: ReadonlySet<string>, edits: Edit[]): void {
  if (typeof node !== 'object' || node === null) return
  const member = node as ESTree.MemberExpression
  if (member.type === 'MemberExpression' && !member.computed) {
    const { object, property } = member
    const isOfReact = object.type === 'Identifier' && modules.has(object.name)
    if (isOfReact && property.name === 'lazy') edits.push({ ...rangeOf(member), text: replacement })
  }
  for (const child of Object.values(node)) collectMembers(child, modules, edits)
}

function rangeOf({ start, end }: { readonly start: number; readonly end: number }) {
  return { start, end }
}

function applyEdits(code: string, edits: readonly Edit[]): string {
  let edited = code
  for (const { start, end, text } of edits.toSorted((one, other) => other.start - one.start)) {
    edited = edited.slice(0, start) + text + edited.slice(end)
  }
  return edited
}
