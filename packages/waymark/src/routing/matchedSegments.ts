import { decodePath, segmentProblem } from './canonicalUrl.ts'
import { type Branch, chainOf, type LeafEntry, type RouteEntry } from './routeEntries.ts'
import type { RouteNode } from './routeFile.ts'
import type { UrlSegment } from './segment.ts'
import { findLeaf } from './trie.ts'

type Matched = {
  /** If a segment's key stays the same after a navigation, the segment stays mounted. */
  readonly key: string
  /**
   * The segment's folder. For a page, the folder of its file; for `not-found`, the root layout's.
   */
  readonly node: RouteNode
  readonly params: Params
  /**
   * True for a segment that only belongs to the page behind an intercepted page. Layouts of such
   * segments run. Pages don't, because proxy.ts hasn't let them through, so only their keys are
   * sent.
   */
  readonly background: boolean
}

/** A matched folder. `slots.children` is the main branch. */
export type MatchedFolder = Matched & {
  readonly kind: 'folder'
  readonly slots: Readonly<Record<string, MatchedSegment>>
}

export type MatchedLeaf = Matched & {
  readonly kind: 'page' | 'route' | 'default' | 'not-found'
  /** The page's file; `null` for the built-in not-found screen and for an empty slot. */
  readonly page: string | null
}

export type MatchedSegment = MatchedFolder | MatchedLeaf

export type BranchEnd = { readonly kind: MatchedLeaf['kind']; readonly file: string | null }

export type BranchMatch = {
  readonly leaf: LeafEntry
  readonly last: RouteEntry
  readonly end: BranchEnd
}

export type Inherited = { readonly params: Params; readonly keyParams: string }

export type Step = { readonly place: RouteEntry; readonly segments: readonly string[] }

export const nothingInherited: Inherited = { params: {}, keyParams: '' }

/**
 * Finds the page for a path. If the branch has none, looks in the inner slots. Such a page is shown
 * next to the main slot's default.
 */
export function findInBranch(branch: Branch, segments: readonly string[]): BranchMatch | null {
  const start = consumedBy(branch.root, segments)
  const leaf = findLeaf(branch.pages, segments, start)
  if (leaf) return { leaf, last: leaf.place, end: leaf }
  const slotLeaf = findLeaf(branch.slotPages, segments, start)
  if (!slotLeaf) return null
  const { host } = slotLeaf
  return { leaf: slotLeaf.leaf, last: host, end: { kind: 'default', file: defaultOf(host) } }
}

export function matchedBranch(
  branch: Branch,
  match: BranchMatch,
  inherited: Inherited,
  segments: readonly string[],
): MatchedSegment {
  const steps = chainOf(match.last, branch.root.parent).map((place) => ({ place, segments }))
  return matchedChain(steps, match.end, inherited)
}

export function matchedChain(
  steps: readonly Step[],
  end: BranchEnd,
  inherited: Inherited,
): MatchedSegment {
  const [step, ...others] = steps
  if (!step) throw new Error('a chain has at least one folder')
  const { place, segments } = step
  const nextInherited = inheritedBelow(place, inherited, segments)
  const key = place.keyBase + nextInherited.keyParams
  const slots: Record<string, MatchedSegment> = {
    children: others[0]
      ? matchedChain(others, end, nextInherited)
      : matchedLeaf(place.node, key, nextInherited.params, end),
  }
  if (end.kind !== 'route') {
    for (const slot of place.slots) {
      const slotSegments = end.kind === 'not-found' ? null : segments
      slots[slot.name] = matchSlot(slot, slotSegments, nextInherited)
    }
  }
  return {
    kind: 'folder',
    key,
    node: place.node,
    params: nextInherited.params,
    slots,
    background: false,
  }
}

function matchSlot(
  slot: Branch,
  segments: readonly string[] | null,
  inherited: Inherited,
): MatchedSegment {
  const match = segments && findInBranch(slot, segments)
  if (match) return matchedBranch(slot, match, inherited, segments)
  const key = slot.root.keyBase + inherited.keyParams
  // As in the App Router, a default replaces the whole slot, including its layout. Without a
  // default, the slot is empty, but the layout still renders it, so that a navigation can fill it.
  const file = defaultOf(slot.root)
  return matchedLeaf(slot.root.node, key, inherited.params, { kind: 'default', file })
}

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
  const { urlSegment } = place
  if (urlSegment === null || urlSegment.kind === 'static') return inherited
  const params = withParam(inherited.params, urlSegment, place.pattern.length - 1, segments)
  const value = params[urlSegment.param] ?? []
  const written = (typeof value === 'string' ? [value] : value).map(encodeURIComponent).join('/')
  return {
    params,
    keyParams: `${inherited.keyParams}:${encodeURIComponent(urlSegment.param)}=${written}`,
  }
}

function consumedBy(place: RouteEntry, segments: readonly string[]): number {
  const last = place.pattern.at(-1)?.kind
  return last === 'rest' || last === 'optional-rest' ? segments.length : place.pattern.length
}

function defaultOf(place: RouteEntry): string | null {
  return place.node.files.default ?? null
}

export type Params = Readonly<Record<string, string | readonly string[]>>

/** @returns `null` if the pathname isn't canonical. Clients may send any string. */
export function splitPathname(pathname: string): readonly string[] | null {
  if (pathname === '/') return []
  if (!pathname.startsWith('/')) return null
  const written = pathname.slice(1).split('/')
  const segments = pathname.includes('%') ? written.map(decodePath) : written
  return segments.every(isSegment) ? segments : null
}

function isSegment(text: string | null): text is string {
  return text !== null && segmentProblem(text) === null
}

/**
 * Adds a segment's param.
 *
 * @param index position of the segment in its pattern
 * @returns the same object if the segment has no param
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
      // An empty param is omitted, so that the params match the type `{ slug?: string[] }`.
      return index < segments.length
        ? { ...params, [segment.param]: segments.slice(index) }
        : params
    default:
      return params
  }
}

/** True if a path is at or below a pattern. */
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
