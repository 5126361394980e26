import type { MatchedSegment } from '../../routing/matched.ts'

/** Roles whose files every rendering of a segment needs. */
const renderedRoles = ['layout', 'template', 'loading', 'error'] as const

/**
 * Lists the files that a matched route renders with, from the root down. The page behind an
 * interception is among them for what it exports, and is not run.
 */
export function filesOf(segment: MatchedSegment, files: string[] = []): string[] {
  if (segment.kind !== 'folder') {
    if (segment.page) files.push(segment.page)
    return files
  }
  for (const role of renderedRoles) {
    const file = segment.node.files[role]
    if (file) files.push(file)
  }
  for (const slot of Object.values(segment.slots)) filesOf(slot, files)
  return files
}
