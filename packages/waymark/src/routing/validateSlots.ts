import { type FrameworkError, frameworkError } from '../shared/errors.ts'
import {
  type Branch,
  chainOf,
  type LeafEntry,
  patternBelow,
  type RouteEntries,
  type RouteEntry,
} from './place.ts'
import type { UrlSegment } from './segment.ts'
import { covers } from './urlIndex.ts'

/**
 * Lists the slots that have neither a page nor a default for a URL at which their layout is
 * shown, and the folders whose main line has none beside a page of a slot. One URL is named
 * for each.
 */
export function findOpenSlots(places: RouteEntries): FrameworkError[] {
  return [
    ...places.slots.flatMap((slot) => openSlot(slot, places)),
    ...places.slots.flatMap(unansweredPage),
  ]
}

function openSlot(slot: Branch, places: RouteEntries): FrameworkError[] {
  const host = slot.root.parent
  if (!host || slot.root.node.files.default !== undefined) return []
  const open = shownBelow(host, slot.around, places).find(
    ({ place }) => !answers(slot, patternBelow(host, place)),
  )
  if (!open) return []
  const folder = `app/${slot.root.node.id}`
  const values = { slot: `@${slot.name}`, folder, url: open.pattern }
  return [frameworkError('SLOT_WITHOUT_DEFAULT', values)]
}

/** The pages at which a folder is shown: of its line, of the slots in it, and intercepted ones. */
function shownBelow(
  host: RouteEntry,
  line: Branch | null,
  { interceptions }: RouteEntries,
): LeafEntry[] {
  const leaves = [
    ...(line?.leaves ?? []),
    ...(line?.slotLeaves ?? []).map(({ leaf }) => leaf),
    ...interceptions.filter((found) => found.line === line).map(({ leaf }) => leaf),
  ]
  return leaves.filter(({ kind, place }) => kind === 'page' && chainOf(place).includes(host))
}

/** A slot's page that seems to be there for a URL, which nobody answers for want of a default. */
function unansweredPage(slot: Branch): FrameworkError[] {
  const { around } = slot
  const host = slot.root.parent
  if (!host || !around || host.node.files.default !== undefined) return []
  // Intercepting folders answer no URL, so none is missing there.
  if (chainOf(host).some(({ node }) => node.segment.kind === 'intercept')) return []
  const open = slot.leaves.find(
    ({ kind, place }) =>
      kind === 'page' &&
      place.pattern.every((segment) => segment.kind === 'static') &&
      !answers(around, patternBelow(around.root, place)),
  )
  if (!open) return []
  const folder = host.node.id ? `app/${host.node.id}` : 'app'
  return [frameworkError('SLOT_WITHOUT_DEFAULT', { slot: 'children', folder, url: open.pattern })]
}

function answers(line: Branch, pattern: readonly UrlSegment[]): boolean {
  return covers(line.pages, pattern) || covers(line.slotPages, pattern)
}
