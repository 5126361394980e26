import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import type { BuildFacts } from '../build/buildFacts.ts'
import { moduleName } from '../build/moduleName.ts'
import type { Place } from '../contract/finding.ts'

/** Export of a module with `'use client'`. */
export type ClientExport = {
  /** File of the module; `null` if it's unknown. */
  readonly file: string | null
  readonly exportName: string
}

export type FindElement = (files: readonly string[], component: ClientExport) => Place | null

/**
 * Returns a function that finds the first JSX element of a client component, in the given files or in
 * modules that they import. Without JSX, finds the import.
 */
export function createFindElement(root: string, facts: BuildFacts): FindElement {
  const sources = new Map<string, Source | null>()
  const sourceOf = (file: string): Source | null => {
    const source = sources.get(file) ?? readSource(join(root, file))
    sources.set(file, source)
    return source
  }
  return (files, component) => {
    let imported: Place | null = null
    const clientFiles = new Set(Object.values(facts.clientModules))
    const near = new Set(files)
    // The loop also visits the imports that it adds to the set.
    for (const file of near) {
      const isClient = clientFiles.has(file)
      if (!isClient) for (const next of facts.imports[file] ?? []) near.add(next)
      const source = isClient ? null : sourceOf(file)
      const used = source?.imports.find((each) => isImportOf(each, component))
      if (!source || !used) continue
      const element = source.elements.find(({ name }) => {
        return name === used.local || name.endsWith(`.${component.exportName}`)
      })
      if (element) return { file, line: source.lineAt(element.start) }
      imported ??= { file, line: source.lineAt(used.start) }
    }
    return imported
  }
}

type Source = {
  readonly imports: readonly Import[]
  readonly elements: readonly { readonly name: string; readonly start: number }[]
  readonly lineAt: (start: number) => number
}

type Import = {
  readonly specifier: string
  /** `default` for a default import, `*` for a namespace. */
  readonly exportName: string
  readonly local: string
  readonly start: number
}

function readSource(path: string): Source | null {
  if (!/\.[cm]?[jt]sx?$/.test(path)) return null
  const text = readFileSync(path, 'utf8')
  const { program, module } = parseSync(path, text)
  const imports = module.staticImports.flatMap(({ moduleRequest, entries, start }) =>
    entries.map(({ importName, localName }) => ({
      specifier: moduleRequest.value,
      exportName: importName.kind === 'Default' ? 'default' : (importName.name ?? '*'),
      local: localName.value,
      start,
    })),
  )
  const elements: { name: string; start: number }[] = []
  collectElements(program, elements)
  const lineAt = (start: number) => text.slice(0, start).split('\n').length
  return { imports, elements, lineAt }
}

function collectElements(node: unknown, elements: { name: string; start: number }[]): void {
  if (typeof node !== 'object' || node === null) return
  if ('type' in node && node.type === 'JSXOpeningElement' && 'name' in node && 'start' in node) {
    elements.push({ name: jsxName(node.name), start: Number(node.start) })
  }
  for (const each of Object.values(node)) collectElements(each, elements)
}

function jsxName(node: unknown): string {
  if (typeof node !== 'object' || node === null) return ''
  if ('name' in node && typeof node.name === 'string') return node.name
  if (!('object' in node) || !('property' in node)) return ''
  return `${jsxName(node.object)}.${jsxName(node.property)}`
}

function isImportOf(each: Import, { file, exportName }: ClientExport): boolean {
  if (each.exportName !== exportName && each.exportName !== '*') return false
  // A name can come through other modules, but `default` says nothing.
  return (
    exportName !== 'default' || (file !== null && moduleName(each.specifier) === moduleName(file))
  )
}
