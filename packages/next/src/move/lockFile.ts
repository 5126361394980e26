/** The packages of Waymark, and those that it needs in a later version than an app may have. */
const updated = ['next', 'react', 'react-dom', 'vite', 'waymark']

/**
 * Removes the locked versions of the packages that a move updates. If other packages depend on one
 * of them, npm keeps its locked version, and then reports a conflict.
 * @param text of `package-lock.json`
 * @returns `null` if no such package is locked, or if the file can't be parsed
 */
export function unlockUpdated(text: string): string | null {
  let lock: { packages?: Record<string, unknown> }
  try {
    lock = JSON.parse(text)
  } catch {
    // npm reports the broken file.
    return null
  }
  const packages = Object.entries(lock.packages ?? {})
  const remaining = packages.filter(
    ([folder]) =>
      !updated.some(
        (name) =>
          folder === `node_modules/${name}` ||
          folder.startsWith(`node_modules/${name}/node_modules/`),
      ),
  )
  if (remaining.length === packages.length) return null
  return `${JSON.stringify({ ...lock, packages: Object.fromEntries(remaining) }, null, 2)}\n`
}

/**
 * Finds installed packages with a peer dependency on an older version of a package. npm refuses to
 * install them beside the new version, unless an override allows it.
 * @param text of `package-lock.json`
 * @param major version that the move installs
 */
export function olderPeers(text: string, name: string, major: number): string[] {
  let lock: { packages?: Record<string, LockedPackage> }
  try {
    lock = JSON.parse(text)
  } catch {
    // npm reports the broken file.
    return []
  }
  return Object.entries(lock.packages ?? {}).flatMap(([folder, locked]) => {
    const [, installed] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(folder) ?? []
    const range = locked.peerDependencies?.[name]
    const isOptional = locked.peerDependenciesMeta?.[name]?.optional === true
    if (installed === undefined || range === undefined || isOptional) return []
    return updated.includes(installed) || accepts(range, major) ? [] : [installed]
  })
}

type LockedPackage = {
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** True if a range such as `^6 || >=7` may accept a major version. */
function accepts(range: string, major: number): boolean {
  return range.split('||').some((part) => {
    const [, comparison = '', number] = /([<>]?)\D*(\d+)?/.exec(part.trim()) ?? []
    if (number === undefined) return true
    return comparison === '>' ? Number(number) <= major : Number(number) === major
  })
}
