import { type FrameworkError, frameworkError } from '../shared/errors.ts'
import type { Branch, Interception, LeafEntry } from './place.ts'
import type { UrlSegment } from './segment.ts'

/**
 * Lists the URLs that more than one file answers.
 * @param leaves those of one line, or interceptions that could answer the same navigation
 */
export function findConflicts(leaves: readonly LeafEntry[]): FrameworkError[] {
  const owners = new Map<string, LeafEntry>()
  const conflicts = new Map<LeafEntry, LeafEntry>()
  for (const leaf of leaves) {
    for (const claim of claimsOf(leaf.place.pattern)) {
      const owner = owners.get(claim)
      if (owner) conflicts.set(leaf, owner)
      else owners.set(claim, leaf)
    }
  }
  return [...conflicts].map(([second, first]) => {
    const files = [`app/${first.file}`, `app/${second.file}`]
    if (first.place === second.place) return frameworkError('PAGE_BESIDE_ROUTE', { files })
    return frameworkError('ROUTE_CONFLICT', { url: second.pattern, files })
  })
}

/**
 * Groups the intercepting pages of which only one can be shown: those of one line that are for
 * navigations from below the same URL.
 */
export function rivalsOf(interceptions: readonly Interception[]): LeafEntry[][] {
  const byLine = new Map<Branch, Map<string, LeafEntry[]>>()
  for (const { leaf, place, line } of interceptions) {
    const base = claimOf(place.parent?.pattern ?? [])
    const groups = byLine.get(line) ?? new Map<string, LeafEntry[]>()
    byLine.set(line, groups)
    groups.set(base, [...(groups.get(base) ?? []), leaf])
  }
  return [...byLine.values()].flatMap((groups) => [...groups.values()])
}

/**
 * Lists the dynamic segments of a line that have more than one name.
 */
export function findParamConflicts(line: Branch): FrameworkError[] {
  const places = new Map<string, Map<string, string>>()
  for (const { place, file } of line.leaves) {
    place.pattern.forEach((segment, index) => {
      if (segment.kind === 'static') return
      const claim = claimOf(place.pattern.slice(0, index + 1))
      const files = places.get(claim) ?? new Map<string, string>()
      places.set(claim, files)
      if (!files.has(segment.param)) files.set(segment.param, `app/${file}`)
    })
  }
  return [...places.values()]
    .filter((files) => files.size > 1)
    .map((files) => {
      const values = { names: [...files.keys()], files: [...files.values()] }
      return frameworkError('PARAM_NAME_CONFLICT', values)
    })
}

// `[[...rest]]` answers what a page in its place would, and what `[...rest]` would.
function claimsOf(pattern: readonly UrlSegment[]): string[] {
  const last = pattern.at(-1)
  if (last?.kind !== 'optional-rest') return [claimOf(pattern)]
  const above = pattern.slice(0, -1)
  return [claimOf(above), claimOf([...above, { kind: 'rest', param: last.param }])]
}

/** The same text for patterns that differ in the names of their params only. */
function claimOf(pattern: readonly UrlSegment[]): string {
  return JSON.stringify(
    pattern.map((segment) => (segment.kind === 'static' ? segment.name : [segment.kind])),
  )
}
