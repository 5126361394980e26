import { clientBorders, coreRoot, layers } from './layers.ts'
import type { Source } from './source.ts'

/**
 * True for tests, to which the layers don't apply: a test may import everything that it tests
 * together.
 */
export function isTestFile(path: string): boolean {
  return /\.test\.[jt]sx?$/.test(path) || isForTests(path)
}

/**
 * True if a file is in a folder named `testing`. The folder of the package named `testing` doesn't
 * count.
 */
function isForTests(path: string): boolean {
  return path.replace(/^packages\/[^/]+/, '').includes('/testing/')
}

/** Finds imports between the framework's folders that the table of layers does not allow. */
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

/** Finds imports across a boundary that only a file with `'use client'` may cross. */
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

/**
 * Finds public entries that do more than re-export, and framework files that import a public entry.
 */
export function entryViolations(sources: readonly Source[]): string[] {
  const isEntry = (path: string) => path.startsWith(coreRoot) && folderOf(path) === null
  const logic = sources
    .filter(({ path, reExportsOnly }) => isEntry(path) && !reExportsOnly && !isTestFile(path))
    .map(({ path }) => `${path}: a public entry may contain re-exports only`)
  const imported = sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => target !== null && isEntry(target))
      .map(
        ({ target, line }) =>
          `${path}:${line}: import from the file that owns the value, not from ${target}`,
      ),
  )
  return [...logic, ...imported]
}

/** Finds files that import each other in a circle. Imports of types count, too. */
export function cycleViolations(sources: readonly Source[]): string[] {
  const targetsOf = new Map(
    sources.map(({ path, imports }) => [path, imports.flatMap(({ target }) => target ?? [])]),
  )
  const done = new Set<string>()
  const trail: string[] = []
  const circles: string[] = []
  const visit = (path: string) => {
    const start = trail.indexOf(path)
    if (start !== -1) circles.push(`circular imports: ${[...trail.slice(start), path].join(' → ')}`)
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
 * Finds code outside a package that imports the package's internals, with a path or an internal
 * entry. Tests of our packages may import them, and all tests may import tables of inputs in a
 * `testing` folder.
 * @param publicSpecifiers the public entries of `exports`: `waymark`, `waymark/client`, …
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
        // Skip our packages, because packages.ts lists the entries that they may import.
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

/**
 * Returns the folder of a file in the framework's `src`, or null for a public entry and for files
 * elsewhere.
 */
function folderOf(path: string): string | null {
  if (!path.startsWith(coreRoot)) return null
  const rest = path.slice(coreRoot.length)
  return rest.includes('/') ? (rest.split('/')[0] ?? null) : null
}
