import type { MatchedSegment } from '../matchedSegments.ts'

/**
 * A match as nested text: folders down to files, slots by name, and the background in angle
 * brackets.
 */
export type Outline = string | { [slot: string]: Outline }

/** Outlines what a match mounts. Omits folders that only contain one other folder. */
export function outlineOf(segment: MatchedSegment): Outline {
  if (segment.kind !== 'folder') {
    const file = segment.page ?? 'built-in'
    return segment.background ? `<${file}>` : file
  }
  const names = Object.keys(segment.slots)
  const [only] = names
  if (names.length === 1 && only === 'children' && segment.slots.children) {
    return outlineOf(segment.slots.children)
  }
  const slots: { [slot: string]: Outline } = {}
  for (const name of names) slots[name] = outlineOf(segment.slots[name] as MatchedSegment)
  return slots
}

export function matchedKeysOf(segment: MatchedSegment | undefined): string[] {
  if (!segment) return []
  return [segment.key, ...(segment.kind === 'folder' ? matchedKeysOf(segment.slots.children) : [])]
}
