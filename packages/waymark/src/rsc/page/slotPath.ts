import type { MatchedFolder } from '../../routing/matchedSegments.ts'
import type { Guard } from './guard.ts'

/**
 * A slot of a segment, together with the slots around it. A slot is a place where a fallback can be
 * shown.
 */
export type SlotPath = {
  readonly segment: MatchedFolder
  readonly slot: string
  readonly outer: SlotPath | null
  /** Guard of all the layouts around the slot. */
  readonly guard: Guard | null
}

/** Finds the root layout's slot that contains a place. @returns `null` above all layouts */
export function rootSlotOf(place: SlotPath | null): SlotPath | null {
  let rootSlot: SlotPath | null = null
  for (let slot = place; slot; slot = slot.outer) {
    if (slot.segment.node.files.layout) rootSlot = slot
  }
  return rootSlot
}

/** Counts the slots around a place; 0 above the root layout. */
export function depthOf(place: SlotPath | null): number {
  let depth = 0
  for (let slot = place; slot; slot = slot.outer) depth++
  return depth
}

/** True for a place in a parallel slot, next to the page. */
export function isBesidePage(place: SlotPath | null): boolean {
  for (let slot = place; slot; slot = slot.outer) if (slot.slot !== 'children') return true
  return false
}
