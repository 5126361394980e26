import type { MatchedSegment } from '../../routing/matched.ts'
import type { SlotPath } from '../page/segments.ts'

/** The place in which the page of a route stands: its failures are answered from there outwards. */
export function pageSlotOf(root: MatchedSegment): SlotPath | null {
  let place: SlotPath | null = null
  let segment: MatchedSegment | undefined = root
  while (segment?.kind === 'folder') {
    place = { segment, slot: 'children', outer: place, passage: null }
    segment = segment.slots.children
  }
  return place
}
