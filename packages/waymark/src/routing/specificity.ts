import type { UrlSegment } from './segment.ts'

const rank = { static: 0, dynamic: 1, rest: 2, 'optional-rest': 3 } as const

/**
 * Orders patterns, the more specific first: segment by segment from the left, static before
 * dynamic before rest before optional rest. A pattern that ends stands before those that go on.
 * @returns negative when `a` comes first; 0 when both say the same about specificity
 */
export function compareSpecificity(a: readonly UrlSegment[], b: readonly UrlSegment[]): number {
  for (const [index, segment] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    const order = rank[segment.kind] - rank[other.kind]
    if (order !== 0) return order
  }
  return a.length - b.length
}
