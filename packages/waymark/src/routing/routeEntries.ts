import { metadataFileKind, metadataUrlName, type RouteNode, type RouteTree } from './routeFile.ts'
import { type FolderSegment, patternOf, type UrlSegment } from './segment.ts'
import { addLeaf, covers, createUrlIndex, type UrlIndex } from './trie.ts'

export type RouteEntry = {
  readonly node: RouteNode
  /** Parent folder. For a slot, the folder with the slot. */
  readonly parent: RouteEntry | null
  /** This folder's URL segment; `null` for a group or a slot. */
  readonly urlSegment: UrlSegment | null
  /**
   * Pattern from the root to this folder. In an intercepting folder, the pattern of the intercepted
   * URL.
   */
  readonly pattern: readonly UrlSegment[]
  /** The constant part of this folder's segment keys. */
  readonly keyBase: string
  readonly slots: readonly Branch[]
}

/** The folders below the app folder or a slot, with their pages. */
export type Branch = {
  readonly name: string
  readonly root: RouteEntry
  readonly around: Branch | null
  readonly leaves: readonly LeafEntry[]
  /** Pages in inner slots, at URLs that the main branch doesn't match. */
  readonly slotLeaves: readonly SlotLeaf[]
  readonly pages: UrlIndex<LeafEntry>
  readonly slotPages: UrlIndex<SlotLeaf>
}

export type ListedRoute = {
  readonly pattern: string
  readonly kind: 'page' | 'route'
  readonly file: string
}

export type LeafEntry = ListedRoute & { readonly place: RouteEntry }

/** A page in a slot. `host` is the folder with the outermost slot. */
export type SlotLeaf = { readonly host: RouteEntry; readonly leaf: LeafEntry }

export type Interception = {
  readonly leaf: LeafEntry
  readonly place: RouteEntry
  /** The branch that shows the page: a slot or the main branch. */
  readonly branch: Branch
}

export type RouteEntries = {
  readonly main: Branch
  readonly slots: readonly Branch[]
  readonly interceptions: readonly Interception[]
  /**
   * Slot pages at URLs without any other page. They are only shown after a navigation inside the
   * slot's layout.
   */
  readonly besideOnly: readonly Interception[]
}

type DraftPlace = RouteEntry & { readonly slots: Branch[] }
type DraftBranch = Branch & { readonly leaves: LeafEntry[]; readonly slotLeaves: SlotLeaf[] }
type CollectedEntries = {
  readonly slots: Branch[]
  readonly interceptions: Interception[]
  readonly besideOnly: Interception[]
}

export function collectRouteEntries(tree: RouteNode): RouteEntries {
  const collected: CollectedEntries = { slots: [], interceptions: [], besideOnly: [] }
  const root = newPlace(tree, null)
  return { main: buildBranch({ name: 'children', root, around: null }, collected), ...collected }
}

/**
 * Returns the folders from the root down to a folder.
 *
 * @param above folder after which the result starts. Default: it starts with the root
 */
export function chainOf(place: RouteEntry, above: RouteEntry | null = null): RouteEntry[] {
  const chain: RouteEntry[] = []
  for (let at: RouteEntry | null = place; at && at !== above; at = at.parent) chain.push(at)
  return chain.reverse()
}

export function patternBelow(above: RouteEntry, place: RouteEntry): readonly UrlSegment[] {
  return place.pattern.slice(above.pattern.length)
}

function buildBranch(
  start: Pick<Branch, 'name' | 'root' | 'around'>,
  collected: CollectedEntries,
): Branch {
  const branch: DraftBranch = {
    ...start,
    leaves: [],
    slotLeaves: [],
    pages: createUrlIndex(),
    slotPages: createUrlIndex(),
  }
  fill(branch.root as DraftPlace, { branch, collected, intercepting: null })
  for (const leaf of branch.leaves)
    addLeaf(branch.pages, patternBelow(branch.root, leaf.place), leaf)
  for (const slotLeaf of branch.slotLeaves) {
    addLeaf(branch.slotPages, patternBelow(branch.root, slotLeaf.leaf.place), slotLeaf)
  }
  return branch
}

type Filling = {
  readonly branch: DraftBranch
  readonly collected: CollectedEntries
  /** The intercepting folder that contains the current folder. */
  readonly intercepting: RouteEntry | null
}

function fill(place: DraftPlace, filling: Filling): void {
  const { branch, collected, intercepting } = filling
  for (const leaf of leavesOf(place)) {
    if (intercepting) collected.interceptions.push({ leaf, place: intercepting, branch })
    else branch.leaves.push(leaf)
  }
  for (const [name, node] of Object.entries(place.node.slots)) {
    fillSlot(place, { name, root: newPlace(node, place), around: branch }, filling)
  }
  for (const node of place.node.children) {
    const below = newPlace(node, place)
    const isIntercepting = node.segment.kind === 'intercept'
    fill(below, { ...filling, intercepting: intercepting ?? (isIntercepting ? below : null) })
  }
}

function fillSlot(
  host: DraftPlace,
  start: Pick<Branch, 'name' | 'root' | 'around'>,
  { branch, collected, intercepting }: Filling,
): void {
  const slot = buildBranch(start, collected)
  host.slots.push(slot)
  collected.slots.push(slot)
  // Pages in slots below an intercepting folder have no URL without the interception.
  if (intercepting) return
  if (host.node.files.default === undefined) {
    for (const leaf of slot.leaves) {
      const place = chainOf(leaf.place, slot.root).find(({ urlSegment }) => urlSegment !== null)
      // At the layout's URL, a slot's page is a route even if the main slot is empty.
      if (!place) branch.slotLeaves.push({ host, leaf })
      else if (!isOpenEnded(leaf)) collected.besideOnly.push({ leaf, place, branch: slot })
    }
    return
  }
  for (const leaf of [...slot.leaves, ...slot.slotLeaves.map((inner) => inner.leaf)]) {
    if (!isOpenEnded(leaf)) branch.slotLeaves.push({ host, leaf })
  }
}

// True for a catch-all. In a slot, such as a closed modal, it must not match URLs, or the app could
// never respond with 404.
function isOpenEnded({ place }: LeafEntry): boolean {
  return place.pattern.some(({ kind }) => kind === 'rest' || kind === 'optional-rest')
}

function leavesOf(place: RouteEntry): LeafEntry[] {
  const { page, route } = place.node.files
  const pattern = patternOf(place.pattern)
  return [
    ...(page === undefined ? [] : [{ place, kind: 'page' as const, file: page, pattern }]),
    ...(route === undefined ? [] : [{ place, kind: 'route' as const, file: route, pattern }]),
  ]
}

function newPlace(node: RouteNode, parent: RouteEntry | null): DraftPlace {
  const urlSegment = urlSegmentOf(node.segment)
  const above = parent?.pattern ?? []
  const up = node.segment.kind === 'intercept' ? node.segment.up : 0
  const start = up === 'root' ? 0 : Math.max(above.length - up, 0)
  const pattern = urlSegment ? [...above.slice(0, start), urlSegment] : above
  return { node, parent, urlSegment, pattern, keyBase: keyBaseOf(node.id), slots: [] }
}

function urlSegmentOf(segment: FolderSegment): UrlSegment | null {
  if (segment.kind === 'intercept') return segment.target
  return segment.kind === 'static' || 'param' in segment ? segment : null
}

// Encodes commas and colons: keys are sent in a comma-separated header, and a colon separates a
// key's params.
function keyBaseOf(id: string): string {
  const readable = /%(?:5B|5D|40|2F)/g
  return `/${encodeURIComponent(id).replace(readable, (code) => decodeURIComponent(code))}`
}

/** Lists the routes, most specific first. Intercepting pages have no URL and aren't listed. */
export function listRoutes(tree: RouteTree): ListedRoute[] {
  return listLeaves(tree).map(({ pattern, kind, file }) => ({ pattern, kind, file }))
}

export function listPagePatterns(tree: RouteTree): string[] {
  return listRoutes(tree).flatMap(({ kind, pattern }) => (kind === 'page' ? pattern : []))
}

export function listLeaves(tree: RouteTree): LeafEntry[] {
  const { main } = collectRouteEntries(tree)
  const leaves = [...main.leaves]
  const listed = new Set(leaves.map(({ pattern }) => pattern))
  for (const { leaf } of main.slotLeaves) {
    if (listed.has(leaf.pattern) || covers(main.pages, leaf.place.pattern)) continue
    listed.add(leaf.pattern)
    leaves.push(leaf)
  }
  return leaves.sort((a, b) => compareSpecificity(a.place.pattern, b.place.pattern))
}

const rank = { static: 0, dynamic: 1, rest: 2, 'optional-rest': 3 } as const

/**
 * Compares patterns by specificity: static, dynamic, rest, optional rest. A pattern comes before a
 * longer one that begins with the same segments.
 * @returns 0 if the patterns match the same paths
 */
export function compareSpecificity(a: readonly UrlSegment[], b: readonly UrlSegment[]): number {
  for (const [index, segment] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    const order = rank[segment.kind] - rank[other.kind]
    if (order !== 0) return order
    if (segment.kind === 'static' && other.kind === 'static' && segment.name !== other.name) {
      return segment.name < other.name ? -1 : 1
    }
  }
  return a.length - b.length
}

/** @returns the URL of the app's web app manifest, or `null` if it has none */
export function manifestHref({ children }: RouteTree): string | null {
  const files = children.flatMap((node) => node.files.route ?? [])
  const file = files.find((each) => metadataFileKind(each) === 'manifest')
  return file === undefined ? null : `/${metadataUrlName(file, 'manifest')}`
}
