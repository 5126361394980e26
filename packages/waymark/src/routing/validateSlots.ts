import { type FrameworkError, frameworkError } from '../shared/errors.ts'
import { chainOf, type Line, type Place, type Places, patternBelow } from './place.ts'
import { patternOf, type UrlSegment } from './segment.ts'
import { covers } from './urlIndex.ts'

/**
 * Lists the slots, and the main lines beside slots, that have neither a page nor a default for
 * a URL at which their layout is shown. One URL for each is enough.
 */
export function findOpenSlots(places: Places): FrameworkError[] {
  return [
    ...places.slots.flatMap((slot) => openSlot(slot, places)),
    ...[places.main, ...places.slots].flatMap(openMainLine),
  ]
}

function openSlot(slot: Line, places: Places): FrameworkError[] {
  const host = slot.root.parent
  if (!host || slot.root.node.files.default !== undefined) return []
  const open = shownBelow(host, slot.around, places).find(
    (place) => !answers(slot, patternBelow(host, place)),
  )
  if (!open) return []
  const folder = `app/${slot.root.node.id}`
  const url = patternOf(open.pattern)
  return [frameworkError('SLOT_WITHOUT_DEFAULT', { slot: `@${slot.name}`, folder, url })]
}

/** The pages at which a folder is shown: of its line, of the slots in it, and intercepted ones. */
function shownBelow(host: Place, line: Line | null, { interceptions }: Places): Place[] {
  const leaves = [
    ...(line?.leaves ?? []),
    ...(line?.slotLeaves ?? []).map(({ leaf }) => leaf),
    ...interceptions.filter((found) => found.line === line).map(({ leaf }) => leaf),
  ]
  return leaves
    .filter(({ kind, place }) => kind === 'page' && chainOf(place).includes(host))
    .map(({ place }) => place)
}

function openMainLine(line: Line): FrameworkError[] {
  const reported = new Set<Place>()
  for (const { host, leaf } of line.slotLeaves) {
    if (host.node.files.default !== undefined || reported.has(host)) continue
    if (covers(line.pages, patternBelow(line.root, leaf.place))) continue
    reported.add(host)
  }
  return [...reported].map((host) => {
    const open = line.slotLeaves.find(
      (found) =>
        found.host === host && !covers(line.pages, patternBelow(line.root, found.leaf.place)),
    )
    const folder = host.node.id ? `app/${host.node.id}` : 'app'
    const url = patternOf(open?.leaf.place.pattern ?? [])
    return frameworkError('SLOT_WITHOUT_DEFAULT', { slot: 'children', folder, url })
  })
}

function answers(line: Line, pattern: readonly UrlSegment[]): boolean {
  return covers(line.pages, pattern) || covers(line.slotPages, pattern)
}
