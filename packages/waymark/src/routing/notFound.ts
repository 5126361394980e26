import { type MatchedSegment, matchedChain, nothingInherited } from './matched.ts'
import { liesBelow } from './params.ts'
import { type Branch, chainOf, type RouteEntry } from './place.ts'
import { deepestLeaf } from './urlIndex.ts'

/**
 * Makes the function that gives an unmatched URL its root layout, with the root not-found in it.
 * Where groups give several root layouts, that of the routes which share most of the URL is taken,
 * else the first that can stand at this URL. A `global-not-found` of the app takes the place of all.
 */
export function createNotFoundMatch(main: Branch): (segments: readonly string[]) => MatchedSegment {
  const pages = main.leaves.filter(({ kind }) => kind === 'page')
  const layouts = new Set(pages.map(({ place }) => rootLayoutOf(place)))

  const { node } = main.root
  const global = node.files['global-not-found']
  if (global !== undefined) {
    const key = '#global-not-found'
    const leaf = {
      kind: 'not-found',
      key,
      node,
      params: {},
      page: global,
      background: false,
    } as const
    return () => leaf
  }

  return (segments) => {
    const nearest = deepestLeaf(main.pages, segments)
    const candidates = [...(nearest ? [rootLayoutOf(nearest.place)] : []), ...layouts]
    const place =
      candidates.find((layout) => layout && liesBelow(segments, layout.pattern)) ?? main.root
    const file = place.node.files['not-found'] ?? main.root.node.files['not-found'] ?? null
    const steps = chainOf(place).map((at) => ({ place: at, segments }))
    return matchedChain(steps, { kind: 'not-found', file }, nothingInherited)
  }
}

function rootLayoutOf(place: RouteEntry): RouteEntry | null {
  return chainOf(place).find(({ node }) => node.files.layout !== undefined) ?? null
}
