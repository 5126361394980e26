import { type FrameworkError, frameworkError } from '../shared/errors.ts'
import { groupBy } from '../shared/maps.ts'
import { internalPrefix } from '../wire/protocol.ts'
import {
  type Branch,
  chainOf,
  collectRouteEntries,
  type Interception,
  type LeafEntry,
  patternBelow,
  type RouteEntries,
  type RouteEntry,
} from './routeEntries.ts'
import type { RouteTree } from './routeFile.ts'
import { patternOf, type UrlSegment } from './segment.ts'
import { covers } from './trie.ts'

export function validateRouteTree(tree: RouteTree): FrameworkError[] {
  const places = collectRouteEntries(tree)
  const branches = [places.main, ...places.slots]
  const leaves = [
    ...branches.flatMap((branch) => branch.leaves),
    ...places.interceptions.map((i) => i.leaf),
  ]
  return [
    ...leaves.flatMap(misplaced),
    ...missingLevels(places),
    ...branches.flatMap((branch) => findConflicts(branch.leaves)),
    ...rivalsOf(places.interceptions).flatMap(findConflicts),
    ...branches.flatMap(findParamConflicts),
    ...handlersOutsideMainBranch(places),
    ...interceptionsOfNothing(places),
    ...leaves.flatMap(withoutRootLayout),
    ...places.slots.flatMap((slot) => openSlot(slot, places)),
  ]
}

function misplaced({ place }: LeafEntry): FrameworkError[] {
  const folder = `app/${place.node.id}`
  const { pattern } = place
  const params = pattern.flatMap((segment) => (segment.kind === 'static' ? [] : segment.param))
  const repeated = params.find((param, index) => params.indexOf(param) !== index)
  const reasons = []
  if (pattern.slice(0, -1).some(({ kind }) => kind === 'rest' || kind === 'optional-rest')) {
    reasons.push("it's inside a rest segment, which already matches all further segments")
  }
  if (repeated !== undefined) {
    reasons.push(`the param ${repeated} occurs twice in its path. Rename one of the two`)
  }
  if (`${patternOf(pattern.slice(0, 1))}/` === internalPrefix) {
    reasons.push(`URLs that begin with ${internalPrefix} are reserved for the framework`)
  }
  return reasons.map((reason) => frameworkError('SEGMENT_NAME', { folder, reason }))
}

function missingLevels({ interceptions }: RouteEntries): FrameworkError[] {
  const folders = new Set(interceptions.map(({ place }) => place))
  return [...folders].flatMap(({ node, parent }) => {
    const { segment } = node
    if (segment.kind !== 'intercept' || segment.up === 'root') return []
    const levels = parent?.pattern.length ?? 0
    if (segment.up <= levels) return []
    const reason = `it goes up ${segment.up} route levels, but there are only ${levels} above it`
    return [frameworkError('SEGMENT_NAME', { folder: `app/${node.id}`, reason })]
  })
}

function handlersOutsideMainBranch({ slots, interceptions }: RouteEntries): FrameworkError[] {
  const leaves = [...slots.flatMap((branch) => branch.leaves), ...interceptions.map((i) => i.leaf)]
  return leaves
    .filter(({ kind }) => kind === 'route')
    .map(({ file }) => frameworkError('ROUTE_IN_SLOT', { file: `app/${file}` }))
}

/** Finds interceptions of URLs without a page. Such a URL would be a 404 after a reload. */
function interceptionsOfNothing({ main, slots, interceptions }: RouteEntries): FrameworkError[] {
  const leaves = [main, ...slots].flatMap((branch) => branch.leaves)
  const hasTarget = ({ place }: LeafEntry) =>
    leaves.some((leaf) => leaf.kind === 'page' && overlap(leaf.place.pattern, place.pattern))
  return interceptions
    .filter(({ leaf }) => leaf.kind === 'page' && !hasTarget(leaf))
    .map(({ leaf }) =>
      frameworkError('INTERCEPT_WITHOUT_TARGET', { file: `app/${leaf.file}`, url: leaf.pattern }),
    )
}

/** True if a URL can match both patterns. */
function overlap(a: readonly UrlSegment[], b: readonly UrlSegment[]): boolean {
  const [first, ...others] = a
  const [second, ...rest] = b
  if (first?.kind === 'optional-rest' || second?.kind === 'optional-rest') return true
  if (first === undefined || second === undefined) return first === second
  if (first.kind === 'static' && second.kind === 'static' && first.name !== second.name)
    return false
  return first.kind === 'rest' || second.kind === 'rest' || overlap(others, rest)
}

function withoutRootLayout({ place, kind, file }: LeafEntry): FrameworkError[] {
  if (kind === 'route' || chainOf(place).some(({ node }) => node.files.layout)) return []
  return [frameworkError('NO_ROOT_LAYOUT', { file: `app/${file}` })]
}

/**
 * Finds the first URL that shows the slot's layout, but for which the slot has neither a page nor a
 * default.
 */
function openSlot(slot: Branch, places: RouteEntries): FrameworkError[] {
  const host = slot.root.parent
  if (!host || slot.root.node.files.default !== undefined) return []
  const open = pagesShowing(host, slot.around, places).find(({ place }) => {
    const pattern = patternBelow(host, place)
    return !covers(slot.pages, pattern) && !covers(slot.slotPages, pattern)
  })
  if (!open) return []
  const folder = `app/${slot.root.node.id}`
  const { layout } = host.node.files
  const files = layout === undefined ? [] : [`app/${layout}`]
  const values = { slot: `@${slot.name}`, folder, url: open.pattern, files }
  return [frameworkError('SLOT_WITHOUT_DEFAULT', values)]
}

/** Lists the pages that show a folder, including pages of its slots and intercepted pages. */
function pagesShowing(
  host: RouteEntry,
  branch: Branch | null,
  { interceptions }: RouteEntries,
): LeafEntry[] {
  const leaves = [
    ...(branch?.leaves ?? []),
    ...(branch?.slotLeaves ?? []).map(({ leaf }) => leaf),
    ...interceptions
      .filter((interception) => interception.branch === branch)
      .map(({ leaf }) => leaf),
  ]
  return leaves.filter(({ kind, place }) => kind === 'page' && chainOf(place).includes(host))
}

/**
 * Finds URLs that several files match.
 *
 * @param leaves pages of one branch, or rival interceptions
 */
export function findConflicts(leaves: readonly LeafEntry[]): FrameworkError[] {
  const owners = new Map<string, LeafEntry>()
  const conflicts = new Map<LeafEntry, LeafEntry>()
  for (const leaf of leaves) {
    for (const claim of claimsOf(leaf.place.pattern)) {
      const owner = owners.get(claim)
      if (owner) conflicts.set(leaf, owner)
      else owners.set(claim, leaf)
    }
  }
  return [...conflicts].map(([second, first]) => {
    const files = [`app/${first.file}`, `app/${second.file}`]
    if (first.place === second.place) return frameworkError('PAGE_BESIDE_ROUTE', { files })
    return frameworkError('ROUTE_CONFLICT', { url: second.pattern, files })
  })
}

/**
 * Groups a branch's interceptions that match navigations from the same URL. Only one per group can
 * be shown.
 */
export function rivalsOf(interceptions: readonly Interception[]): LeafEntry[][] {
  const byBranch = groupBy(interceptions, ({ branch }) => branch)
  const groups = [...byBranch.values()].flatMap((group) => [
    ...groupBy(group, ({ place }) => claimOf(place.parent?.pattern ?? [])).values(),
  ])
  return groups.map((group) => group.map(({ leaf }) => leaf))
}

export function findParamConflicts(branch: Branch): FrameworkError[] {
  const params = branch.leaves.flatMap(({ place: { pattern }, file }) =>
    pattern.flatMap((segment, index) => {
      if (segment.kind === 'static') return []
      return { param: segment.param, file, claim: claimOf(pattern.slice(0, index + 1)) }
    }),
  )
  return [...groupBy(params, ({ claim }) => claim).values()].flatMap((group) => {
    const byName = groupBy(group, ({ param }) => param)
    if (byName.size === 1) return []
    const files = [...byName.values()].map(([first]) => `app/${first?.file}`)
    return frameworkError('PARAM_NAME_CONFLICT', { names: [...byName.keys()], files })
  })
}

// Lists the patterns that a route occupies. `[[...rest]]` matches the URL of a page in its folder
// and the URLs of `[...rest]`.
function claimsOf(pattern: readonly UrlSegment[]): string[] {
  const last = pattern.at(-1)
  if (last?.kind !== 'optional-rest') return [claimOf(pattern)]
  const above = pattern.slice(0, -1)
  return [claimOf(above), claimOf([...above, { kind: 'rest', param: last.param }])]
}

/** Returns equal strings for patterns that differ only in the names of params. */
function claimOf(pattern: readonly UrlSegment[]): string {
  return JSON.stringify(
    pattern.map((segment) => (segment.kind === 'static' ? segment.name : [segment.kind])),
  )
}
