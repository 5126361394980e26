import { type ESTree, parseSync, Visitor } from 'vite'
import type { Finding, ImportedName, NextImport, SourceFacts } from './plan.ts'
import { findSyncRequests } from './syncRequests.ts'

/**
 * Reads a file's imports, and finds code that behaves differently in Waymark.
 * @param file relative to the root of the app
 * @returns `null` if the file can't be parsed
 */
export function readSource(file: string, code: string): SourceFacts | null {
  const lang = /\.[cm]?ts$/.test(file) ? 'ts' : 'tsx'
  const { program, module, errors } = parseSync(file, code, { lang })
  if (errors.some(({ severity }) => severity === 'Error')) return null
  const lineAt = lineCounter(code)
  const imports: NextImport[] = []
  const add = (specifier: string, start: number, end: number, names: readonly ImportedName[]) => {
    if (!/^next(?:\/|$)/.test(specifier)) return
    imports.push({
      module: specifier.replace(/\.js$/, ''),
      start,
      end,
      line: lineAt(start),
      names,
    })
  }
  for (const { start, end, moduleRequest, entries } of module.staticImports) {
    const names = entries.map(({ importName, localName, isType }) => ({
      name: importName.kind === 'Name' ? (importName.name ?? '') : importKinds[importName.kind],
      local: localName.value,
      isType,
    }))
    add(moduleRequest.value, start, end, names)
  }
  const reExported = module.staticExports.flatMap(({ entries }) => entries[0]?.moduleRequest ?? [])
  for (const { value, start, end } of reExported) add(value, start, end, [])
  for (const { moduleRequest } of module.dynamicImports) {
    const { start, end } = moduleRequest
    add(code.slice(start + 1, end - 1), start, end, [])
  }
  const { insertions, findings } = findSyncRequests(file, { program, code }, lineAt)
  return {
    imports,
    program,
    insertions,
    findings: [...findDifferences(file, program, lineAt), ...findings],
  }
}

const importKinds = { Default: 'default', NamespaceObject: '*' } as const

/** Segment options that only configure hosting services. */
const hostingOptions = new Set(['runtime', 'preferredRegion', 'maxDuration'])

function findDifferences(
  file: string,
  program: ESTree.Program,
  lineAt: (offset: number) => number,
): Finding[] {
  const findings: Finding[] = []
  const find = (kind: Finding['kind'], { start }: { readonly start: number }, text: string) =>
    findings.push({ kind, file, line: lineAt(start), text })
  new Visitor({
    ExpressionStatement(statement) {
      const { directive } = statement as { directive?: string | null }
      if (!directive?.startsWith('use cache: ') || directive === 'use cache: remote') return
      const instead =
        directive === 'use cache: private'
          ? "Write 'use cache' if the data is the same for everybody."
          : "Write 'use cache', which uses the store that all cached functions share."
      find('change', statement, `'${directive}' is not supported. ${instead}`)
    },
    JSXOpeningElement({ name, attributes, start }) {
      const isJsx = attributes.some(
        (each) =>
          each.type === 'JSXAttribute' &&
          each.name.type === 'JSXIdentifier' &&
          each.name.name === 'jsx',
      )
      if (name.type === 'JSXIdentifier' && name.name === 'style' && isJsx)
        find('change', { start }, '<style jsx> is not compiled. Use a CSS module or <style>.')
    },
    ExportNamedDeclaration({ declaration }) {
      if (declaration?.type !== 'VariableDeclaration') return
      for (const { id } of declaration.declarations) {
        if (id.type !== 'Identifier' || !hostingOptions.has(id.name)) continue
        find(
          'differs',
          id,
          `${id.name} has no effect, because your server decides where and how the app runs.`,
        )
      }
    },
  }).visit(program)
  return findings
}

/** Returns a function that maps an offset to its line number, counting from 1. */
export function lineCounter(code: string): (offset: number) => number {
  return (offset) => code.slice(0, offset).split('\n').length
}
