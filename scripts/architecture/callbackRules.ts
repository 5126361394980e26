import { isTestFile } from './importRules.ts'
import { coreRoot, totalCallbacks, totalFolders } from './layers.ts'
import type { Source } from './source.ts'

/**
 * Callbacks given to React's renderers, and listeners of events, that might throw: those that
 * `neverThrows` does not wrap and the list of the others does not name.
 */
export function callbackViolations(sources: readonly Source[], listed = totalCallbacks): string[] {
  const unused = new Set(listed)
  const open = sources.filter(isBound).flatMap(({ path, callbacks }) =>
    callbacks.flatMap(({ name, line, isTotal }) => {
      const entry = listed.find(([file, callback]) => coreRoot + file === path && callback === name)
      if (entry) unused.delete(entry)
      if (isTotal || entry) return []
      return [`${path}:${line}: ${name} may throw where nothing catches: give it neverThrows(…)`]
    }),
  )
  const stale = [...unused].map(([file, name]) => `${file} has no ${name}: take it off the list`)
  return [...open, ...stale]
}

function isBound({ path }: Source): boolean {
  const folder = path.startsWith(coreRoot) ? path.slice(coreRoot.length).split('/')[0] : undefined
  return folder !== undefined && totalFolders.includes(folder) && !isTestFile(path)
}
