import { metadataFileKind, metadataUrlName, type RouteNode, type RouteTree } from './routeFile.ts'
import { type FolderSegment, patternOf, type UrlSegment } from './segment.ts'
import { addLeaf, covers, createUrlIndex, type UrlIndex } from './trie.ts'

/** A route node in its place: what matching asks of it, worked out once. */
export type RouteEntry = {
  readonly node: RouteNode
  /** The folder above it; for a slot, the folder it stands in. */
  readonly parent: RouteEntry | null
  /** The part of the URL that it takes for itself; `null` for a group or a slot. */
  readonly own: UrlSegment | null
  /** The URL down to here; at and below an interception, the URL that it intercepts. */
  readonly pattern: readonly UrlSegment[]
  /** The part of its segment keys that is the same for all params. */
  readonly keyBase: string
  readonly slots: readonly Branch[]
}

/** The folders below the app folder or below a slot, with the pages that stand in them. */
export type Branch = {
  /** `children` for the main branch. */
  readonly name: string
  readonly root: RouteEntry
  /** For a slot, the branch of the folder it stands in. */
  readonly around: Branch | null
  readonly leaves: readonly LeafEntry[]
  /** Pages of slots inside this branch that match URLs by themselves. */
  readonly slotLeaves: readonly SlotLeaf[]
  /** `leaves` by the URL below `root`. */
  readonly pages: UrlIndex<LeafEntry>
  /** `slotLeaves` by the URL below `root`. */
  readonly slotPages: UrlIndex<SlotLeaf>
}

/** A route in a list. */
export type ListedRoute = {
  /** The pattern of its URL as text: `/blog/[slug]`. */
  readonly pattern: string
  readonly kind: 'page' | 'route'
  /** The page or route file, relative to the app folder. */
  readonly file: string
}

/** A folder with a page or a route handler. */
export type LeafEntry = ListedRoute & { readonly place: RouteEntry }

/** A page in a slot, seen from a branch around it: `host` is the folder of the outermost slot. */
export type SlotLeaf = { readonly host: RouteEntry; readonly leaf: LeafEntry }

/** A page at or below an intercepting folder. */
export type Interception = {
  readonly leaf: LeafEntry
  /** The intercepting folder. */
  readonly place: RouteEntry
  /** The branch it is shown in: a slot, or the main branch. */
  readonly branch: Branch
}

/** All places of a route tree. */
export type RouteEntries = {
  readonly main: Branch
  /** Of all slots, wherever they stand. */
  readonly slots: readonly Branch[]
  readonly interceptions: readonly Interception[]
  /**
   * Pages of slots beside which nothing stands in a document: only a navigation that has something
   * there shows them, as if their topmost folder were an intercepting one.
   */
  readonly besideOnly: readonly Interception[]
}

type DraftPlace = RouteEntry & { readonly slots: Branch[] }
type DraftBranch = Branch & { readonly leaves: LeafEntry[]; readonly slotLeaves: SlotLeaf[] }
type Found = {
  readonly slots: Branch[]
  readonly interceptions: Interception[]
  readonly besideOnly: Interception[]
}

/**
 * Puts the nodes of a tree in their places. Where several files match one URL, all stay,
 * for validation to find.
 */
export function collectRouteEntries(tree: RouteNode): RouteEntries {
  const found: Found = { slots: [], interceptions: [], besideOnly: [] }
  const root = newPlace(tree, null)
  return { main: buildBranch({ name: 'children', root, around: null }, found), ...found }
}

/**
 * The places from the root of the tree, or from below another place, down to this one.
 * @param above left out of the result, as is everything above it
 */
export function chainOf(place: RouteEntry, above: RouteEntry | null = null): RouteEntry[] {
  const chain: RouteEntry[] = []
  for (let at: RouteEntry | null = place; at && at !== above; at = at.parent) chain.push(at)
  return chain.reverse()
}

/**
 * The part of a place's URL that lies below another place.
 */
export function patternBelow(above: RouteEntry, place: RouteEntry): readonly UrlSegment[] {
  return place.pattern.slice(above.pattern.length)
}

function buildBranch(start: Pick<Branch, 'name' | 'root' | 'around'>, found: Found): Branch {
  const branch: DraftBranch = {
    ...start,
    leaves: [],
    slotLeaves: [],
    pages: createUrlIndex(),
    slotPages: createUrlIndex(),
  }
  fill(branch.root as DraftPlace, { branch, found, intercepting: null })
  for (const leaf of branch.leaves)
    addLeaf(branch.pages, patternBelow(branch.root, leaf.place), leaf)
  for (const slotLeaf of branch.slotLeaves) {
    addLeaf(branch.slotPages, patternBelow(branch.root, slotLeaf.leaf.place), slotLeaf)
  }
  return branch
}

type Filling = {
  readonly branch: DraftBranch
  readonly found: Found
  /** The intercepting folder that the place is in. */
  readonly intercepting: RouteEntry | null
}

function fill(place: DraftPlace, filling: Filling): void {
  const { branch, found, intercepting } = filling
  for (const leaf of leavesOf(place)) {
    if (intercepting) found.interceptions.push({ leaf, place: intercepting, branch })
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
  { branch, found, intercepting }: Filling,
): void {
  const slot = buildBranch(start, found)
  host.slots.push(slot)
  found.slots.push(slot)
  // A slot below an intercepting folder has no URL of its own outside of the interception.
  if (intercepting) return
  if (host.node.files.default === undefined) {
    for (const leaf of slot.leaves) {
      const place = chainOf(leaf.place, slot.root).find(({ own }) => own !== null)
      if (place && !isOpenEnded(leaf)) found.besideOnly.push({ leaf, place, branch: slot })
    }
    return
  }
  for (const leaf of [...slot.leaves, ...slot.slotLeaves.map((inner) => inner.leaf)]) {
    if (!isOpenEnded(leaf)) branch.slotLeaves.push({ host, leaf })
  }
}

// A rest in a slot says what is shown beside other pages, such as a modal that is closed. Were
// it to match URLs, no URL of the app could be a 404.
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
  const own = urlSegmentOf(node.segment)
  const above = parent?.pattern ?? []
  const up = node.segment.kind === 'intercept' ? node.segment.up : 0
  const start = up === 'root' ? 0 : Math.max(above.length - up, 0)
  const pattern = own ? [...above.slice(0, start), own] : above
  return { node, parent, own, pattern, keyBase: keyBaseOf(node.id), slots: [] }
}

function urlSegmentOf(segment: FolderSegment): UrlSegment | null {
  if (segment.kind === 'intercept') return segment.target
  return segment.kind === 'static' || 'param' in segment ? segment : null
}

// FolderSegment keys travel in a header, comma separated, and params follow a colon.
function keyBaseOf(id: string): string {
  const readable = /%(?:5B|5D|40|2F)/g
  return `/${encodeURIComponent(id).replace(readable, (code) => decodeURIComponent(code))}`
}

/**
 * Lists the routes of a tree, the more specific first. A page that stands in a slot only is
 * listed with its own file; intercepting pages are not: they match no URL by themselves.
 */
export function listRoutes(tree: RouteTree): ListedRoute[] {
  return listLeaves(tree).map(({ pattern, kind, file }) => ({ pattern, kind, file }))
}

/**
 * Lists the places of the routes of a tree, the more specific first.
 */
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
 * Orders patterns, the more specific first: segment by segment from the left, static before
 * dynamic before rest before optional rest, static ones by their names. A pattern that ends
 * stands before those that go on.
 * @returns negative when `a` comes first; 0 when both match the same paths
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

/**
 * The URL of the app's web app manifest.
 * @returns `null` when no file makes one
 */
export function manifestHref({ children }: RouteTree): string | null {
  const files = children.flatMap((node) => node.files.route ?? [])
  const file = files.find((each) => metadataFileKind(each) === 'manifest')
  return file === undefined ? null : `/${metadataUrlName(file, 'manifest')}`
}
