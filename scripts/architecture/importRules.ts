import { clientBorders, coreRoot, layers } from './layers.ts'
import type { Source } from './source.ts'

/** Tests may import what they test together with, so the layers don't bind them. */
export function isTestFile(path: string): boolean {
  return /\.test\.[jt]sx?$/.test(path) || isForTests(path)
}

/** True if a file is in a folder `testing`, except for the folder of the package `testing`. */
function isForTests(path: string): boolean {
  return path.replace(/^packages\/[^/]+/, '').includes('/testing/')
}

/** Imports between the folders of the framework that the table of layers does not allow. */
export function layerViolations(sources: readonly Source[]): string[] {
  return coreSources(sources).flatMap(({ path, imports }) => {
    const folder = folderOf(path)
    if (folder === null) return []
    const allowed = layers[folder]
    if (!allowed) return [`${path}: the folder ${folder}/ is in no layer`]
    return imports.flatMap(({ target, line }) => {
      const imported = target === null ? null : folderOf(target)
      if (imported === null || imported === folder || allowed.includes(imported)) return []
      return [`${path}:${line}: ${folder}/ may not import ${imported}/ (${target})`]
    })
  })
}

/** Imports over a border that only files with `'use client'` may cross. */
export function clientBorderViolations(sources: readonly Source[]): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  return coreSources(sources).flatMap(({ path, imports }) =>
    imports.flatMap(({ target, line }) => {
      const crosses = clientBorders.some(
        ([importer, imported]) =>
          folderOf(path) === importer && target !== null && folderOf(target) === imported,
      )
      if (!crosses || target === null) return []
      if (byPath.get(target)?.directives.includes('use client')) return []
      return [`${path}:${line}: ${target} has no 'use client'`]
    }),
  )
}

/** Public entries hold re-exports only, and no file of the framework imports one. */
export function entryViolations(sources: readonly Source[]): string[] {
  const isEntry = (path: string) => path.startsWith(coreRoot) && folderOf(path) === null
  const logic = sources
    .filter(({ path, reExportsOnly }) => isEntry(path) && !reExportsOnly && !isTestFile(path))
    .map(({ path }) => `${path}: a public entry holds re-exports only`)
  const imported = sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => target !== null && isEntry(target))
      .map(({ target, line }) => `${path}:${line}: import from the owner, not from ${target}`),
  )
  return [...logic, ...imported]
}

/** Files that import each other in a circle; imports of types count too. */
export function cycleViolations(sources: readonly Source[]): string[] {
  const targetsOf = new Map(
    sources.map(({ path, imports }) => [path, imports.flatMap(({ target }) => target ?? [])]),
  )
  const done = new Set<string>()
  const trail: string[] = []
  const circles: string[] = []
  const visit = (path: string) => {
    const start = trail.indexOf(path)
    if (start !== -1) circles.push(`a circle: ${[...trail.slice(start), path].join(' → ')}`)
    if (start !== -1 || done.has(path)) return
    trail.push(path)
    for (const target of targetsOf.get(path) ?? []) visit(target)
    trail.pop()
    done.add(path)
  }
  for (const path of targetsOf.keys()) visit(path)
  return circles
}

/**
 * Code outside of a package that reaches into it: by a path, or by an entry that is internal.
 * The tests of our packages are free to. Tables of inputs in a `testing` folder are for all tests.
 * @param publicSpecifiers what `exports` offers to everybody: `waymark`, `waymark/client`, …
 */
export function publicApiViolations(
  sources: readonly Source[],
  publicSpecifiers: readonly string[],
): string[] {
  return sources
    .filter(({ path }) => !path.startsWith('packages/waymark/'))
    .filter(({ path }) => !(path.startsWith('packages/') && isTestFile(path)))
    .flatMap(({ path, imports }) =>
      imports.flatMap(({ specifier, target, line }) => {
        const packageFolder = path.split('/').slice(0, 2).join('/')
        const isOtherPackage =
          target?.startsWith('packages/') && !target.startsWith(`${packageFolder}/`)
        const reachesIn = isOtherPackage && !isForTests(target ?? '')
        // What a package of ours may import is in its row, in packages.ts.
        const isInternal =
          !path.startsWith('packages/') &&
          /^waymark(\/|$)/.test(specifier) &&
          !publicSpecifiers.includes(specifier)
        if (!reachesIn && !isInternal) return []
        return [`${path}:${line}: ${specifier} is not public`]
      }),
    )
}

/** The framework's sources, without tests. */
export function coreSources(sources: readonly Source[]): Source[] {
  return sources.filter(({ path }) => path.startsWith(coreRoot) && !isTestFile(path))
}

/** The folder below the framework's sources, or null for a public entry and for files elsewhere. */
function folderOf(path: string): string | null {
  if (!path.startsWith(coreRoot)) return null
  const rest = path.slice(coreRoot.length)
  return rest.includes('/') ? (rest.split('/')[0] ?? null) : null
}
