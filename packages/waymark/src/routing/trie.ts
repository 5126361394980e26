import type { UrlSegment } from './segment.ts'

/** Trie of patterns. A lookup takes longer with a deeper path. More specific kinds match first. */
export type UrlIndex<Leaf> = {
  readonly statics: Map<string, UrlIndex<Leaf>>
  dynamic: UrlIndex<Leaf> | null
  readonly leaves: Leaf[]
  /** Leaves of `[...rest]`, which match one or more segments. */
  readonly rest: Leaf[]
  /** Leaves of `[[...rest]]`, which match any number of segments. */
  readonly optionalRest: Leaf[]
}

export function createUrlIndex<Leaf>(): UrlIndex<Leaf> {
  return { statics: new Map(), dynamic: null, leaves: [], rest: [], optionalRest: [] }
}

export function addLeaf<Leaf>(
  index: UrlIndex<Leaf>,
  pattern: readonly UrlSegment[],
  leaf: Leaf,
): void {
  let place = index
  for (const segment of pattern) {
    if (segment.kind === 'rest') return void place.rest.push(leaf)
    if (segment.kind === 'optional-rest') return void place.optionalRest.push(leaf)
    if (segment.kind === 'static') {
      const below = place.statics.get(segment.name) ?? createUrlIndex<Leaf>()
      place.statics.set(segment.name, below)
      place = below
    } else {
      place.dynamic ??= createUrlIndex()
      place = place.dynamic
    }
  }
  place.leaves.push(leaf)
}

/**
 * Finds the most specific leaf for a path.
 *
 * @param start index of the first segment to match
 * @param accept returns false to continue the search
 */
export function findLeaf<Leaf>(
  index: UrlIndex<Leaf>,
  segments: readonly string[],
  start: number,
  accept?: (leaf: Leaf) => boolean,
): Leaf | null {
  const segment = segments[start]
  if (segment === undefined) {
    return pick(index.leaves, accept) ?? pick(index.optionalRest, accept)
  }
  const byName = index.statics.get(segment)
  const below = byName && findLeaf(byName, segments, start + 1, accept)
  if (below) return below
  const dynamic = index.dynamic && findLeaf(index.dynamic, segments, start + 1, accept)
  return dynamic ?? pick(index.rest, accept) ?? pick(index.optionalRest, accept)
}

/** True if every path of a pattern has a leaf. */
export function covers(index: UrlIndex<unknown>, pattern: readonly UrlSegment[]): boolean {
  const [first, ...others] = pattern
  const optional = index.optionalRest.length > 0
  if (first === undefined) return index.leaves.length > 0 || optional
  if (optional) return true
  switch (first.kind) {
    case 'optional-rest':
      return index.leaves.length > 0 && index.rest.length > 0
    case 'rest':
      return index.rest.length > 0
    case 'static': {
      const byName = index.statics.get(first.name)
      if (byName && covers(byName, others)) return true
    }
  }
  return index.rest.length > 0 || (index.dynamic !== null && covers(index.dynamic, others))
}

export function deepestLeaf<Leaf>(index: UrlIndex<Leaf>, segments: readonly string[]): Leaf | null {
  let place = index
  for (const segment of segments) {
    const below = place.statics.get(segment) ?? place.dynamic
    if (!below) break
    place = below
  }
  return firstLeaf(place)
}

function firstLeaf<Leaf>(index: UrlIndex<Leaf>): Leaf | null {
  const leaf = index.leaves[0] ?? index.rest[0] ?? index.optionalRest[0]
  if (leaf !== undefined) return leaf
  for (const below of [...index.statics.values(), ...(index.dynamic ? [index.dynamic] : [])]) {
    const leafBelow = firstLeaf(below)
    if (leafBelow !== null) return leafBelow
  }
  return null
}

function pick<Leaf>(leaves: readonly Leaf[], accept?: (leaf: Leaf) => boolean): Leaf | null {
  return (accept ? leaves.find(accept) : leaves[0]) ?? null
}
