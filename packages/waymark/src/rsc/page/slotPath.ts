import type { MatchedFolder } from '../../routing/matchedSegments.ts'
import type { Guard } from './guard.ts'

/** A slot of a segment, with the slots around it. Fallbacks can be shown in a slot. */
export type SlotPath = {
  readonly segment: MatchedFolder
  readonly slot: string
  readonly outer: SlotPath | null
  /** Guard of all layouts around the slot. */
  readonly guard: Guard | null
}

/** Finds the slot of the root layout around a place. @returns `null` above all layouts */
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
