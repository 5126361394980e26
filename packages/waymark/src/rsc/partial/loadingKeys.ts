import type { MatchedSegment } from '../../routing/matched.ts'

/** The keys of segments that stand inside of a `loading` file's Suspense. */
export function loadingKeys(root: MatchedSegment): ReadonlySet<string> {
  const keys = new Set<string>()
  const visit = (segment: MatchedSegment, isInside: boolean) => {
    if (isInside) keys.add(segment.key)
    if (segment.kind !== 'folder') return
    const isLoading = segment.node.files.loading !== undefined
    for (const [name, child] of Object.entries(segment.slots)) {
      visit(child, isInside || (isLoading && name === 'children'))
    }
  }
  visit(root, false)
  return keys
}
