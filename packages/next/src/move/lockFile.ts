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
