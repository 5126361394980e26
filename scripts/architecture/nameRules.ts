import { isTestFile } from './importRules.ts'
import { coreRoot, retiredNames, retiredWords } from './layers.ts'
import type { Source } from './source.ts'

/**
 * Finds files with the same base name in one package, because a search for the name would find both.
 */
export function baseNameViolations(sources: readonly Source[]): string[] {
  const first = new Map<string, string>()
  return sources.flatMap(({ path }) => {
    const [, root, file] = /^(packages\/[^/]+\/src\/)(?:.*\/)?([^/]+)$/.exec(path) ?? []
    if (!root || !file || isTestFile(path)) return []
    const key = root + file.replace(/(\.d)?\.\w+$/, '').toLowerCase()
    const other = first.get(key)
    if (!other) first.set(key, path)
    return other ? [`${path}: ${other} has the same base name`] : []
  })
}

/**
 * Finds names that two modules of the core export, because a search for the name would find both
 * modules.
 */
export function exportedNameViolations(sources: readonly Source[]): string[] {
  const first = new Map<string, string>()
  const core = sources.filter(({ path }) => path.startsWith(coreRoot) && !isTestFile(path))
  return core.flatMap(({ path, exports }) =>
    [...new Set(exports)].flatMap((name) => {
      const other = first.get(name)
      if (!other) first.set(name, path)
      return other ? [`${path}: ${other} also exports ${name}`] : []
    }),
  )
}

/**
 * Finds exported names of packages that contain a retired word and that the list doesn't allow.
 * @param allowed allowed names, with the reason for each
 */
export function retiredWordViolations(
  sources: readonly Source[],
  allowed: Readonly<Record<string, string>> = retiredNames,
): string[] {
  const checked = sources.filter(
    ({ path }) => /^packages\/[^/]+\/src\//.test(path) && !isTestFile(path),
  )
  const exported = new Set(checked.flatMap(({ exports }) => exports))
  const violations = checked.flatMap(({ path, exports }) =>
    exports
      .filter((name) => !(name in allowed))
      .flatMap((name) =>
        wordsOf(name)
          .filter((word) => word in retiredWords)
          .map((word) => `${path}: ${name}: not "${word}" but ${retiredWords[word]}`),
      ),
  )
  const stale = Object.keys(allowed).filter((name) => !exported.has(name))
  return [
    ...violations,
    ...stale.map((name) => `nothing exports ${name}. Remove it from the list.`),
  ]
}

/**
 * Splits a name into words in the singular: `createUnreadAnswers` → `create`, `unread`, `answer`.
 */
function wordsOf(name: string): string[] {
  return name
    .replace(/not_?found/gi, '')
    .split(/(?=[A-Z])|_/)
    .map((word) => word.toLowerCase())
    .map((word) => (word in retiredWords ? word : word.replace(/s$/, '')))
}
