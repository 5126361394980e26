import { posix } from 'node:path'
import { coreSources } from './importRules.ts'
import {
  coreRoot,
  fanOutExceptions,
  limits,
  optionalEntries,
  smallFiles,
  smallFolders,
} from './layers.ts'
import type { Source } from './source.ts'

/** Reasons by path, from the root of the core. */
type Reasons = Readonly<Record<string, string>>

/** Small files that one module alone imports: their code belongs into that module. */
export function smallFileViolations(
  sources: readonly Source[],
  allowed: Reasons = smallFiles,
): string[] {
  const core = coreSources(sources)
  const importers = importersOf(core)
  const small = core.flatMap(({ path, codeLines }) => {
    if (codeLines >= limits.smallFileLines || isComponentOrTypes(path)) return []
    const [only, ...others] = importers.get(path) ?? []
    return only && others.length === 0 && !isEntry(only) ? [{ path, codeLines, only }] : []
  })
  const found = small
    .filter(({ path }) => !(path.slice(coreRoot.length) in allowed))
    .map(
      ({ path, codeLines, only }) => `${path}: ${codeLines} code lines that only ${only} imports`,
    )
  const paths = new Set(small.map(({ path }) => path.slice(coreRoot.length)))
  return [...found, ...staleEntries(allowed, paths)]
}

/** Folders of which too many files hold next to nothing; public ones, and what loads apart, may. */
export function tinyShareViolations(
  sources: readonly Source[],
  allowed: Reasons = smallFolders,
): string[] {
  const core = coreSources(sources)
  const importers = importersOf(core)
  const isTiny = ({ path, codeLines }: Source) =>
    codeLines < limits.tinyFileLines &&
    importers.get(path)?.every((importer) => !isEntry(importer)) &&
    !(path.slice(coreRoot.length) in smallFiles) &&
    !isComponentOrTypes(path)
  const folders = new Map<string, Source[]>()
  for (const source of core.filter(({ path }) => importers.has(path))) {
    const folder = posix.dirname(source.path).slice(coreRoot.length)
    folders.set(folder, [...(folders.get(folder) ?? []), source])
  }
  const crowded = [...folders].flatMap(([folder, files]) => {
    const tiny = files.filter(isTiny)
    const isCrowded =
      files.length >= limits.tinyShareFrom && tiny.length > files.length * limits.tinyShare
    return isCrowded ? [{ folder, count: files.length, tiny }] : []
  })
  const found = crowded
    .filter(({ folder }) => !(folder in allowed))
    .map(({ folder, count, tiny }) => {
      const names = tiny.map(({ path }) => posix.basename(path)).join(', ')
      return `${folder}/: ${tiny.length} of ${count} files are tiny: ${names}`
    })
  return [...found, ...staleEntries(allowed, new Set(crowded.map(({ folder }) => folder)))]
}

/** Files that import too many others. */
export function fanOutViolations(
  sources: readonly Source[],
  allowed: Reasons = fanOutExceptions,
): string[] {
  const wide = coreSources(sources)
    .map(({ path, imports }) => ({
      path,
      count: new Set(imports.flatMap(({ target }) => target ?? [])).size,
    }))
    .filter(({ count }) => count > limits.fanOut)
  const found = wide
    .filter(({ path }) => !(path.slice(coreRoot.length) in allowed))
    .map(({ path, count }) => `${path}: imports ${count} files, at most ${limits.fanOut}`)
  const paths = new Set(wide.map(({ path }) => path.slice(coreRoot.length)))
  return [...found, ...staleEntries(allowed, paths)]
}

type Totals = { readonly sourceFiles: number; readonly coreLines: number }

/** The number of source files, the code lines of the core and those of each optional entry. */
export function totalViolations(
  sources: readonly Source[],
  { sourceFiles, coreLines }: Totals = limits,
  entries: Readonly<Record<string, number>> = optionalEntries,
): string[] {
  const counted = coreSources(sources)
  const entryOf = (path: string) =>
    Object.keys(entries).find(
      (folder) => path.startsWith(`packages/${folder}/`) || path === `packages/${folder}.ts`,
    )
  const core = counted.filter(({ path }) => entryOf(path) === undefined)
  const files = core.length
  const lines = linesOf(core)
  return [
    ...(files > sourceFiles ? [`${coreRoot}: ${files} files, at most ${sourceFiles}`] : []),
    ...(lines > coreLines ? [`${coreRoot}: ${lines} code lines, at most ${coreLines}`] : []),
    ...Object.entries(entries).flatMap(([folder, most]) => {
      const own = linesOf(counted.filter(({ path }) => entryOf(path) === folder))
      return own > most ? [`packages/${folder}: ${own} code lines, at most ${most}`] : []
    }),
  ]
}

function linesOf(sources: readonly Source[]): number {
  return sources.reduce((sum, { codeLines }) => sum + codeLines, 0)
}

function importersOf(sources: readonly Source[]): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const { path, imports } of sources) {
    for (const target of new Set(imports.flatMap(({ target }) => target ?? []))) {
      importers.set(target, [...(importers.get(target) ?? []), path])
    }
  }
  return importers
}

/** A component is found by its file; declarations hold no code. */
function isComponentOrTypes(path: string): boolean {
  return path.endsWith('.tsx') || path.endsWith('.d.ts')
}

function isEntry(path: string): boolean {
  return `${posix.dirname(path)}/` === coreRoot
}

function staleEntries(allowed: Reasons, needed: ReadonlySet<string>): string[] {
  return Object.keys(allowed)
    .filter((entry) => !needed.has(entry))
    .map((entry) => `${entry} needs no exception any more: take it off the list`)
}
