import { coreSources } from './importRules.ts'
import { coreRoot, innerLayers, mutualFolders } from './layers.ts'
import type { Source } from './source.ts'

type InnerLayers = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/** Finds imports between a layer's sub-folders that the layer's table does not allow. */
export function innerLayerViolations(
  sources: readonly Source[],
  tables: InnerLayers = innerLayers,
): string[] {
  return coreSources(sources).flatMap(({ path, imports }) => {
    const from = placeOf(path)
    if (!from) return []
    const table = tables[from.layer]
    if (!table)
      return from.folder === '.' ? [] : [`${path}: ${from.layer}/ has no table of folders`]
    const allowed = table[from.file] ?? table[from.folder]
    if (!allowed) return [`${path}: the table of ${from.layer}/ has no ${from.folder}/`]
    return imports.flatMap(({ target, line }) => {
      const to = target === null ? null : placeOf(target)
      if (to?.layer !== from.layer || to.folder === from.folder) return []
      if (allowed.includes(to.folder)) return []
      const [importer, imported] = [from, to].map(({ layer, folder }) => `${layer}/${folder}`)
      return [`${path}:${line}: ${importer} may not import ${imported} (${target})`]
    })
  })
}

/** Finds pairs of sub-folders that import each other although the list gives no reason for it. */
export function mutualFolderViolations(
  tables: InnerLayers = innerLayers,
  reasons: Readonly<Record<string, string>> = mutualFolders,
): string[] {
  const pairs = Object.entries(tables).flatMap(([layer, table]) =>
    Object.entries(table).flatMap(([folder, allowed]) =>
      allowed
        .filter((other) => folder < other && table[other]?.includes(folder))
        .map((other) => `${layer}: ${folder} ↔ ${other}`),
    ),
  )
  const unexplained = pairs.filter((pair) => !reasons[pair])
  const stale = Object.keys(reasons).filter((pair) => !pairs.includes(pair))
  return [
    ...unexplained.map((pair) => `${pair} import each other. List them with a reason.`),
    ...stale.map((pair) => `${pair} do not import each other any more. Remove the reason.`),
  ]
}

/**
 * Returns the layer, the sub-folder (`.` for the layer itself) and the file name, or null for
 * public entries.
 */
function placeOf(path: string): { layer: string; folder: string; file: string } | null {
  if (!path.startsWith(coreRoot)) return null
  const [layer = '', ...rest] = path.slice(coreRoot.length).split('/')
  const file = rest.at(-1)
  if (!file) return null
  return { layer, folder: rest.length > 1 ? (rest[0] ?? '.') : '.', file }
}
