import { isTestFile } from './importRules.ts'
import { coreRoot, totalCallbacks, totalFolders } from './layers.ts'
import type { Source } from './source.ts'

/**
 * Finds callbacks of React's renderers and event listeners that might throw. A callback is accepted
 * if it is wrapped in `neverThrows`, or if the list contains it.
 */
export function callbackViolations(sources: readonly Source[], listed = totalCallbacks): string[] {
  const unused = new Set(listed)
  const open = sources.filter(isBound).flatMap(({ path, callbacks }) =>
    callbacks.flatMap(({ name, line, isTotal }) => {
      const entry = listed.find(([file, callback]) => coreRoot + file === path && callback === name)
      if (entry) unused.delete(entry)
      if (isTotal || entry) return []
      return [
        `${path}:${line}: ${name} may throw where nothing catches the error. Wrap it in neverThrows(…).`,
      ]
    }),
  )
  const stale = [...unused].map(
    ([file, name]) => `${file} has no ${name}. Remove it from the list.`,
  )
  return [...open, ...stale]
}

function isBound({ path }: Source): boolean {
  const folder = path.startsWith(coreRoot) ? path.slice(coreRoot.length).split('/')[0] : undefined
  return folder !== undefined && totalFolders.includes(folder) && !isTestFile(path)
}
