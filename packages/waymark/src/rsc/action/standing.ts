import type { MatchedFolder, MatchedLeaf, MatchedSegment } from '../../routing/matched.ts'
import type { SlotPath } from '../page/segments.ts'

/** A layout or page, with the place in which it stands. */
export type GuardFile = {
  readonly file: string
  readonly segment: MatchedSegment
  readonly place: SlotPath | null
}

/**
 * Finds where an action stands in a matched route: the layouts around the file that reaches it,
 * from the root down, and the page when it is the page. Where several files reach it, the one with
 * the least around it counts: nothing more guards it.
 * @param files route files that reach it
 * @param part what counts: of a route that is shown over another one, its own files, or those of
 * the other
 * @returns `null` when none of them is part of this route
 */
export function guardsOf(
  root: MatchedSegment,
  files: readonly string[],
  part: 'shown' | 'background',
): readonly GuardFile[] | null {
  let found: readonly GuardFile[] | null = null
  const offer = (line: readonly GuardFile[]) => {
    if (found === null || line.length < found.length) found = line
  }

  const isReaching = (file: string | undefined, { background }: MatchedSegment) =>
    file !== undefined && background === (part === 'background') && files.includes(file)

  function visit(segment: MatchedSegment, around: readonly GuardFile[], outer: SlotPath | null) {
    if (segment.kind === 'folder') folder(segment, around, outer)
    else leaf(segment, around, outer)
  }

  function leaf(segment: MatchedLeaf, around: readonly GuardFile[], place: SlotPath | null) {
    const file = segment.page
    if (file !== null && isReaching(file, segment)) offer([...around, { file, segment, place }])
  }

  function folder(segment: MatchedFolder, around: readonly GuardFile[], outer: SlotPath | null) {
    const { node, slots } = segment
    const {
      layout,
      page: _page,
      default: _default,
      'global-error': outside,
      ...inside
    } = node.files
    if (isReaching(outside, segment)) offer(around)
    const line = layout ? [...around, { file: layout, segment, place: outer }] : around
    if (isReaching(layout, segment)) offer(line)
    for (const file of Object.values(inside)) if (isReaching(file, segment)) offer(line)
    for (const [slot, below] of Object.entries(slots)) {
      visit(below, line, { segment, slot, outer, passage: null })
    }
  }

  visit(root, [], null)
  return found
}
