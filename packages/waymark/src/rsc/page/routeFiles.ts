import type { MatchedSegment } from '../../routing/matched.ts'

/** Roles whose files every rendering of a segment needs. */
const renderedRoles = ['layout', 'template', 'loading', 'error'] as const

/**
 * Lists the files that a matched route renders with, from the root down. The page behind an
 * interception is among them for what it exports, and is not run.
 */
export function filesOf(segment: MatchedSegment): string[] {
  if (segment.kind !== 'folder') return segment.page ? [segment.page] : []
  const own = renderedRoles.flatMap((role) => segment.node.files[role] ?? [])
  return [...own, ...Object.values(segment.slots).flatMap(filesOf)]
}
