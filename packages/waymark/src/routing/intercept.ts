import { groupBy } from '../shared/maps.ts'
import {
  findInBranch,
  liesBelow,
  type MatchedFolder,
  type MatchedSegment,
  matchedBranch,
  matchedChain,
} from './matchedSegments.ts'
import {
  chainOf,
  compareSpecificity,
  type Interception,
  type LeafEntry,
  type RouteEntry,
} from './routeEntries.ts'
import type { UrlSegment } from './segment.ts'
import { addLeaf, createUrlIndex, findLeaf } from './trie.ts'

export type InterceptQuery = {
  readonly segments: readonly string[]
  /** Pattern without the interception; `null` if no route matches. */
  readonly plainPattern: readonly UrlSegment[] | null
  readonly fromSegments: readonly string[]
  readonly background: MatchedSegment
}

export type Intercepted = { readonly leaf: LeafEntry; readonly root: MatchedSegment }

export function createInterceptor(
  interceptions: readonly Interception[],
): (query: InterceptQuery) => Intercepted | null {
  const index = createUrlIndex<readonly Interception[]>()
  for (const group of groupBy(interceptions, ({ leaf }) => leaf.pattern).values()) {
    addLeaf(index, group[0]?.leaf.place.pattern ?? [], group.sort(deeperFirst))
  }

  return (query) => {
    const applies = (interception: Interception) => canIntercept(interception, query)
    const group = findLeaf(index, query.segments, 0, (candidates) => candidates.some(applies))
    const [first, ...others] = group?.filter(applies) ?? []
    if (!first) return null
    // All slots of the innermost layout may show the target, but the slots of outer layouts may
    // not.
    const all = [first, ...others.filter((other) => isBeside(first, other))]
    const root = all.reduce(
      (at, interception) => show(at, interception, query),
      asBackground(query.background),
    )
    return { leaf: first.leaf, root }
  }
}

function deeperFirst(a: Interception, b: Interception): number {
  return chainOf(hostOf(b)).length - chainOf(hostOf(a)).length
}

function isBeside(first: Interception, other: Interception): boolean {
  return hostOf(other) === hostOf(first) && other.branch !== first.branch
}

/** Returns the folder whose layout shows the intercepted page. */
function hostOf({ branch, place }: Interception): RouteEntry {
  const host = branch.root.parent ?? place.parent
  if (!host) throw new Error('an intercepting folder is always inside another folder')
  return host
}

function canIntercept(interception: Interception, query: InterceptQuery): boolean {
  const { leaf, place } = interception
  const { segments, fromSegments, plainPattern, background } = query
  if (plainPattern && !isMarked(place)) return false
  // `/photo/new` has its own page, so `(.)photo/[id]` must not match it with the id `new`.
  if (plainPattern && compareSpecificity(plainPattern, leaf.place.pattern) < 0) return false
  if (!liesBelow(fromSegments, place.parent?.pattern ?? [])) return false
  // The params of the folders above the target must be equal, so that /ann/photo/1 doesn't open
  // over /bob.
  const shared = segments.slice(0, place.pattern.length - 1)
  if (shared.some((segment, at) => segment !== fromSegments[at])) return false
  return findFolder(background, hostOf(interception).node.id) !== null
}

function show(
  root: MatchedSegment,
  interception: Interception,
  { segments, fromSegments }: InterceptQuery,
): MatchedSegment {
  const { leaf, place, branch } = interception
  const host = hostOf(interception)
  const chain = chainOf(leaf.place, host)
  const first = chain.indexOf(place)
  const steps = chain.map((at, index) => ({
    place: at,
    segments: index < first ? fromSegments : segments,
  }))
  return replaceIn(root, host.node.id, (folder) => {
    const keyParams = folder.key.slice(host.keyBase.length)
    if (!isMarked(place)) return withSlotsAt(folder, { host, segments, keyParams })
    const intercepted = matchedChain(steps, leaf, { params: folder.params, keyParams })
    const name = branch.root.parent ? branch.name : 'children'
    return { ...folder, slots: { ...folder.slots, [name]: intercepted } }
  })
}

function isMarked({ node }: RouteEntry): boolean {
  return node.segment.kind === 'intercept'
}

function withSlotsAt(
  folder: MatchedFolder,
  at: { host: RouteEntry; segments: readonly string[]; keyParams: string },
): MatchedFolder {
  const slots = { ...folder.slots }
  for (const slot of at.host.slots) {
    const match = findInBranch(slot, at.segments)
    const above = { params: folder.params, keyParams: at.keyParams }
    if (match) slots[slot.name] = matchedBranch(slot, match, above, at.segments)
  }
  return { ...folder, slots }
}

/**
 * Merges the slots of a different route into this one. A slot that would show only its `default`
 * shows the other route's page instead.
 */
export function withSlotsOf(root: MatchedSegment, other: MatchedSegment): MatchedSegment {
  if (root.kind !== 'folder' || other.kind !== 'folder' || root.key !== other.key) return root
  const slots: Record<string, MatchedSegment> = {}
  for (const [name, below] of Object.entries(root.slots)) {
    const otherSlot = other.slots[name]
    const isPreserved =
      below.kind === 'default' && otherSlot !== undefined && otherSlot.kind !== 'default'
    slots[name] = isPreserved
      ? asBackground(otherSlot)
      : otherSlot
        ? withSlotsOf(below, otherSlot)
        : below
  }
  return { ...root, slots }
}

function asBackground(at: MatchedSegment): MatchedSegment {
  if (at.kind !== 'folder') return { ...at, background: true }
  return { ...mapSlots(at, asBackground), background: true }
}

function mapSlots(
  folder: MatchedFolder,
  change: (below: MatchedSegment) => MatchedSegment,
): MatchedFolder {
  const slots: Record<string, MatchedSegment> = {}
  for (const [name, below] of Object.entries(folder.slots)) slots[name] = change(below)
  return { ...folder, slots }
}

function findFolder(at: MatchedSegment, id: string): MatchedFolder | null {
  if (at.kind !== 'folder') return null
  if (at.node.id === id) return at
  for (const below of Object.values(at.slots)) {
    const folder = findFolder(below, id)
    if (folder) return folder
  }
  return null
}

function replaceIn(
  at: MatchedSegment,
  id: string,
  replace: (folder: MatchedFolder) => MatchedFolder,
): MatchedSegment {
  if (at.kind !== 'folder') return at
  if (at.node.id === id) return replace(at)
  return mapSlots(at, (below) => replaceIn(below, id, replace))
}
