import type { MatchedSegment } from '../matchedSegments.ts'

/** A match as nested text: folder ids down to files, slots by name, background in brackets. */
export type Outline = string | { [slot: string]: Outline }

/** Draws what a match mounts, without folders that lead to one other only. */
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
