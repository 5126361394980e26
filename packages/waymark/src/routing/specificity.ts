import type { UrlSegment } from './segment.ts'

const rank = { static: 0, dynamic: 1, rest: 2, 'optional-rest': 3 } as const

/**
 * Orders patterns, the more specific first: segment by segment from the left, static before
 * dynamic before rest before optional rest, static ones by their names. A pattern that ends
 * stands before those that go on.
 * @returns negative when `a` comes first; 0 when both match the same paths
 */
export function compareSpecificity(a: readonly UrlSegment[], b: readonly UrlSegment[]): number {
  for (const [index, segment] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    const order = rank[segment.kind] - rank[other.kind]
    if (order !== 0) return order
    if (segment.kind === 'static' && other.kind === 'static' && segment.name !== other.name) {
      return segment.name < other.name ? -1 : 1
    }
  }
  return a.length - b.length
}
