import { type FrameworkError, frameworkError } from '../shared/errors.ts'
import { internalPrefix } from '../shared/protocol.ts'
import { chainOf, collectEntries, type LeafEntry, type RouteEntries } from './place.ts'
import type { RouteTree } from './routeNode.ts'
import { patternOf } from './segment.ts'
import { findOpenSlots } from './validateSlots.ts'
import { findConflicts, findParamConflicts, rivalsOf } from './validateUrls.ts'

/**
 * Lists the mistakes of a route tree.
 * @returns an empty list when every URL has one answer and every layout gets its slots
 */
export function validateRouteTree(tree: RouteTree): FrameworkError[] {
  const places = collectEntries(tree)
  const lines = [places.main, ...places.slots]
  const leaves = [
    ...lines.flatMap((line) => line.leaves),
    ...places.interceptions.map((i) => i.leaf),
  ]
  return [
    ...leaves.flatMap(misplaced),
    ...missingLevels(places),
    ...lines.flatMap((line) => findConflicts(line.leaves)),
    ...rivalsOf(places.interceptions).flatMap(findConflicts),
    ...lines.flatMap(findParamConflicts),
    ...handlersOutsideTheMainLine(places),
    ...leaves.flatMap(withoutRootLayout),
    ...findOpenSlots(places),
  ]
}

function misplaced({ place }: LeafEntry): FrameworkError[] {
  const folder = `app/${place.node.id}`
  const { pattern } = place
  const params = pattern.flatMap((segment) => (segment.kind === 'static' ? [] : segment.param))
  const repeated = params.find((param, index) => params.indexOf(param) !== index)
  const reasons = []
  if (pattern.slice(0, -1).some(({ kind }) => kind === 'rest' || kind === 'optional-rest')) {
    reasons.push('it stands below a rest segment, which takes all that follows')
  }
  if (repeated !== undefined) {
    reasons.push(`the param ${repeated} occurs twice on the way to it, give one another name`)
  }
  if (`${patternOf(pattern.slice(0, 1))}/` === internalPrefix) {
    reasons.push(`URLs that begin with ${internalPrefix} belong to the framework`)
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
    const reason = `it goes up ${segment.up} route levels, and there are ${levels} above it`
    return [frameworkError('SEGMENT_NAME', { folder: `app/${node.id}`, reason })]
  })
}

function handlersOutsideTheMainLine({ slots, interceptions }: RouteEntries): FrameworkError[] {
  const leaves = [...slots.flatMap((line) => line.leaves), ...interceptions.map((i) => i.leaf)]
  return leaves
    .filter(({ kind }) => kind === 'route')
    .map(({ file }) => frameworkError('ROUTE_IN_SLOT', { file: `app/${file}` }))
}

function withoutRootLayout({ place, kind, file }: LeafEntry): FrameworkError[] {
  if (kind === 'route' || chainOf(place).some(({ node }) => node.files.layout)) return []
  return [frameworkError('NO_ROOT_LAYOUT', { file: `app/${file}` })]
}
