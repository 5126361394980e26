import { segmentProblem } from './canonicalUrl.ts'
import { type Branch, chainOf, type LeafEntry, type RouteEntry } from './routeEntries.ts'
import type { RouteNode } from './routeFile.ts'
import type { UrlSegment } from './segment.ts'
import { findLeaf } from './trie.ts'

/** A folder that a match goes through; `slots.children` is the main branch. */
export type MatchedFolder = {
  readonly kind: 'folder'
  /** The same for two URLs when what is mounted for one may stay for the other. */
  readonly key: string
  readonly node: RouteNode
  /** All params known down to here. */
  readonly params: Params
  readonly slots: Readonly<Record<string, MatchedSegment>>
  /**
   * Belongs to the route that an interception is shown over. proxy.ts has let this request pass to
   * it, and its layouts run; its pages are on the screen already, and have not been asked: name
   * their keys, don't render them.
   */
  readonly background: boolean
}

/** Where a branch of a match ends. */
export type MatchedLeaf = {
  readonly kind: 'page' | 'route' | 'default' | 'not-found'
  readonly key: string
  /** The folder whose file it is; for `not-found` the folder of the root layout. */
  readonly node: RouteNode
  readonly params: Params
  /** The file; `null` where the built-in not-found screen stands in for one. */
  readonly page: string | null
  /** As in `MatchedFolder`. */
  readonly background: boolean
}

/** One step of the chain that rendering walks. */
export type MatchedSegment = MatchedFolder | MatchedLeaf

/** How a branch ends: in the file of its last folder. */
export type BranchEnd = { readonly kind: MatchedLeaf['kind']; readonly file: string | null }

/** What was found for a path in a branch. */
export type Found = {
  /** The page or route that matches; in a slot when the branch itself ends in a default. */
  readonly leaf: LeafEntry
  readonly last: RouteEntry
  readonly end: BranchEnd
}

/** What a folder gets from those above it. */
export type Inherited = { readonly params: Params; readonly keyParams: string }

/** A place of a chain with the path that its params are taken from. */
export type Step = { readonly place: RouteEntry; readonly segments: readonly string[] }

/** What the root of the tree inherits. */
export const nothingInherited: Inherited = { params: {}, keyParams: '' }

/**
 * Finds the page of a path in a branch; else a page of a slot inside it, beside which the branch
 * shows its default.
 */
export function findInBranch(branch: Branch, segments: readonly string[]): Found | null {
  const start = consumedBy(branch.root, segments)
  const leaf = findLeaf(branch.pages, segments, start)
  if (leaf) return { leaf, last: leaf.place, end: leaf }
  const slotLeaf = findLeaf(branch.slotPages, segments, start)
  if (!slotLeaf) return null
  const { host } = slotLeaf
  return { leaf: slotLeaf.leaf, last: host, end: { kind: 'default', file: defaultOf(host) } }
}

/** Builds the matched segments of what was found in a branch. */
export function matchedBranch(
  branch: Branch,
  found: Found,
  inherited: Inherited,
  segments: readonly string[],
): MatchedSegment {
  const steps = chainOf(found.last, branch.root.parent).map((place) => ({ place, segments }))
  return matchedChain(steps, found.end, inherited)
}

/**
 * Builds the matched segments of a chain of folders, with their slots.
 * @param steps at least one
 */
export function matchedChain(
  steps: readonly Step[],
  end: BranchEnd,
  inherited: Inherited,
): MatchedSegment {
  const [step, ...others] = steps
  if (!step) throw new Error('a chain has at least one folder')
  const { place, segments } = step
  const known = inheritedBelow(place, inherited, segments)
  const key = place.keyBase + known.keyParams
  const slots: Record<string, MatchedSegment> = {
    children: others[0]
      ? matchedChain(others, end, known)
      : matchedLeaf(place.node, key, known.params, end),
  }
  if (end.kind !== 'route') {
    for (const slot of place.slots) {
      const matched = matchSlot(slot, end.kind === 'not-found' ? null : segments, known)
      if (matched) slots[slot.name] = matched
    }
  }
  return { kind: 'folder', key, node: place.node, params: known.params, slots, background: false }
}

function matchSlot(
  slot: Branch,
  segments: readonly string[] | null,
  inherited: Inherited,
): MatchedSegment | null {
  const found = segments && findInBranch(slot, segments)
  if (found) return matchedBranch(slot, found, inherited, segments)
  const file = defaultOf(slot.root)
  if (file === null) return null
  const key = slot.root.keyBase + inherited.keyParams
  // As App Router has it, the default stands for the whole slot, its layout included.
  return matchedLeaf(slot.root.node, key, inherited.params, { kind: 'default', file })
}

/** Builds the end of a chain. @param key of its folder */
export function matchedLeaf(
  node: RouteNode,
  key: string,
  params: Params,
  end: BranchEnd,
): MatchedLeaf {
  const { kind, file } = end
  return { kind, key: `${key}#${kind}`, node, params, page: file, background: false }
}

function inheritedBelow(
  place: RouteEntry,
  inherited: Inherited,
  segments: readonly string[],
): Inherited {
  const { own } = place
  if (own === null || own.kind === 'static') return inherited
  const params = withParam(inherited.params, own, place.pattern.length - 1, segments)
  const value = params[own.param] ?? []
  const written = (typeof value === 'string' ? [value] : value).map(encodeURIComponent).join('/')
  return { params, keyParams: `${inherited.keyParams}:${encodeURIComponent(own.param)}=${written}` }
}

/** How many segments of a path lie at or above a place. */
function consumedBy(place: RouteEntry, segments: readonly string[]): number {
  const last = place.pattern.at(-1)?.kind
  return last === 'rest' || last === 'optional-rest' ? segments.length : place.pattern.length
}

function defaultOf(place: RouteEntry): string | null {
  return place.node.files.default ?? null
}

/** The values of a route's params, decoded; a list for rest segments. */
export type Params = Readonly<Record<string, string | readonly string[]>>

/**
 * A pathname's segments, decoded once.
 * @returns `null` for a pathname that `parseTarget` would not let pass: one may also be cut from
 * the URL of page data, or be what a client says it navigates from
 */
export function splitPathname(pathname: string): readonly string[] | null {
  if (pathname === '/') return []
  if (!pathname.startsWith('/')) return null
  const written = pathname.slice(1).split('/')
  const segments = pathname.includes('%') ? decodeAll(written) : written
  return segments?.every((segment) => segmentProblem(segment) === null) ? segments : null
}

function decodeAll(segments: readonly string[]): readonly string[] | null {
  try {
    return segments.map(decodeURIComponent)
  } catch {
    return null
  }
}

/**
 * Adds what one segment of a pattern takes from a path.
 * @param index of the segment in its pattern
 * @returns the same params when the segment takes none
 */
export function withParam(
  params: Params,
  segment: UrlSegment | undefined,
  index: number,
  segments: readonly string[],
): Params {
  switch (segment?.kind) {
    case 'dynamic':
      return { ...params, [segment.param]: segments[index] ?? '' }
    case 'rest':
      return { ...params, [segment.param]: segments.slice(index) }
    case 'optional-rest':
      // Absent rather than empty, as `{ slug?: string[] }` says.
      return index < segments.length
        ? { ...params, [segment.param]: segments.slice(index) }
        : params
    default:
      return params
  }
}

/**
 * Tells whether a path lies at or below a pattern.
 */
export function liesBelow(segments: readonly string[], pattern: readonly UrlSegment[]): boolean {
  return pattern.every((expected, index) => {
    const segment = segments[index]
    switch (expected.kind) {
      case 'static':
        return segment === expected.name
      case 'optional-rest':
        return true
      default:
        return segment !== undefined
    }
  })
}
