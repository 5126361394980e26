import { isTestFile } from './importRules.ts'
import { coreRoot } from './layers.ts'
import {
  otherVersions,
  publicEntries,
  type WorkspacePackage,
  workspacePackages,
} from './packages.ts'
import type { Source } from './source.ts'

type Packages = Readonly<Record<string, WorkspacePackage>>

/** Finds optional packages without a row in packages.ts, and rows without a package. */
export function packageRowViolations(
  sources: readonly Source[],
  packages: Packages = workspacePackages,
): string[] {
  const names = new Set(sources.flatMap(({ path }) => placeOf(path)?.name ?? []))
  const missing = [...names].filter((name) => !(name in packages))
  const gone = Object.keys(packages).filter((name) => !names.has(name))
  return [
    ...missing.map((name) => `packages/${name}: has no row in packages.ts`),
    ...gone.map((name) => `packages/${name}: does not exist. Remove its row.`),
  ]
}

/**
 * Finds imports in an optional package that the package's row does not allow. A row lists entries
 * of our packages, and the imports between the package's own folders. Tests may import the core's
 * sources.
 */
export function packageImportViolations(
  sources: readonly Source[],
  packages: Packages = workspacePackages,
): string[] {
  return sources.flatMap(({ path, imports }) => {
    const from = placeOf(path)
    const row = from && packages[from.name]
    if (!from || !row || isTestFile(path)) return []
    return imports.flatMap(({ specifier, target, line }) => {
      const at = `${path}:${line}:`
      if (target === null) {
        const isOurs = /^(?:@waymark\/|waymark(?:\/|$))/.test(specifier)
        return isOurs && !row.entries.includes(specifier)
          ? [`${at} the row of ${from.name} does not name ${specifier}`]
          : []
      }
      const to = placeOf(target)
      if (to?.name !== from.name) return [`${at} ${target} is outside of the package`]
      if (!from.folder || !to.folder || from.folder === to.folder) return []
      return row.layers?.[from.folder]?.includes(to.folder)
        ? []
        : [`${at} ${from.folder}/ may not import ${to.folder}/`]
    })
  })
}

/** Finds public entries of the core that are not on the list. */
export function publicEntryViolations(
  sources: readonly Source[],
  entries: readonly string[] = publicEntries,
): string[] {
  return sources.flatMap(({ path }) => {
    const [, entry] = /^(\w+)\.ts$/.exec(path.slice(coreRoot.length)) ?? []
    if (!path.startsWith(coreRoot) || entry === undefined) return []
    if (entries.includes(entry)) return []
    return [`${path}: is not in the list of public entries`]
  })
}

/** The fields of a package.json that the rules read. */
export type Manifest = {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/**
 * Finds packages whose version differs from the core's version, or that require a different version
 * of the core.
 */
export function versionViolations(
  manifests: readonly Manifest[],
  exceptions: Readonly<Record<string, string>> = otherVersions,
): string[] {
  const version = manifests.find(({ name }) => name === 'waymark')?.version
  return manifests.flatMap(({ name, version: packageVersion, dependencies, peerDependencies }) => {
    const needed = { ...dependencies, ...peerDependencies }.waymark
    if (name in exceptions) return []
    return [
      ...(packageVersion === version
        ? []
        : [`${name}: has version ${packageVersion}, but the core has ${version}`]),
      ...(needed === undefined || needed === version
        ? []
        : [`${name}: requires waymark ${needed} instead of ${version}`]),
    ]
  })
}

/**
 * Returns the name of an optional package and the file's folder in its sources, or null for files
 * elsewhere.
 */
function placeOf(path: string): { readonly name: string; readonly folder: string } | null {
  const [, name, rest] = /^packages\/([^/]+)\/src\/(.+)$/.exec(path) ?? []
  if (name === undefined || name === 'waymark') return null
  return { name, folder: rest?.includes('/') ? (rest.split('/')[0] ?? '') : '' }
}
