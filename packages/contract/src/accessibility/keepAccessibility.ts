import { type Contract, type ContractEntry, titleOf } from '../contract/contractFile.ts'

/** Copies the lines about accessibility from an earlier contract, after a run that didn't check it. */
export function keepAccessibility(before: Contract, after: Contract): Contract {
  const earlier = new Map(before.entries.map((entry) => [titleOf(entry), entry]))
  const entries = after.entries.map((entry): ContractEntry => {
    const kept = linesOf(earlier.get(titleOf(entry)))
    return { ...entry, properties: { ...entry.properties, ...kept } }
  })
  const had = new Set(after.entries.map(titleOf))
  const others = before.entries.flatMap((entry): ContractEntry[] => {
    if (had.has(titleOf(entry))) return []
    if (entry.kind === 'screen') return [entry]
    const kept = entry.kind === 'not proven' ? linesOf(entry) : {}
    return Object.keys(kept).length > 0 ? [{ ...entry, properties: kept }] : []
  })
  return { ...after, entries: [...entries, ...others] }
}

/** Returns the properties `accessibility` and, of what isn't proven, `accessibility of page /x`. */
function linesOf(entry: ContractEntry | undefined): Record<string, string> {
  const properties = Object.entries(entry?.properties ?? {})
  return Object.fromEntries(properties.filter(([key]) => /^accessibility(?: of |$)/.test(key)))
}
