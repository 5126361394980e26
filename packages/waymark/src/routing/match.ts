import { createInterceptor } from './intercept.ts'
import {
  findInBranch,
  liesBelow,
  type MatchedSegment,
  matchedBranch,
  matchedChain,
  matchedLeaf,
  nothingInherited,
  type Params,
  splitPathname,
  withParam,
} from './matchedSegments.ts'
import {
  type Branch,
  chainOf,
  collectRouteEntries,
  type LeafEntry,
  type RouteEntry,
} from './routeEntries.ts'
import type { RouteTree } from './routeFile.ts'
import { deepestLeaf } from './trie.ts'

export type RouteMatch = {
  readonly pattern: string
  readonly params: Params
  readonly leaf: 'page' | 'route'
  readonly file: string
  readonly root: MatchedSegment
  /** True if the page is shown inside the route that the navigation started from. */
  readonly interceptedFrom: boolean
}

export type Matcher = ReturnType<typeof createMatcher>

/**
 * Creates a matcher for an app's routes. A match takes longer with a deeper path, but not with more
 * routes.
 */
export function createMatcher(tree: RouteTree) {
  const { main, ...entries } = collectRouteEntries(tree)
  const interceptions = [...entries.interceptions, ...entries.besideOnly]
  const matchNotFound = createNotFoundMatch(main)
  const intercept = createInterceptor(interceptions)

  function matchPlain(segments: readonly string[]): RouteMatch | null {
    const match = findInBranch(main, segments)
    if (!match) return null
    const root = matchedBranch(main, match, nothingInherited, segments)
    return routeMatch(match.leaf, segments, root)
  }

  return {
    /**
     * Matches the root layout with the root not-found screen. The pathname decides if there are
     * several root layouts.
     */
    matchNotFound: (pathname: string): MatchedSegment =>
      matchNotFound(splitPathname(pathname) ?? []),
    /**
     * Matches a pathname.
     *
     * @param options `from` is the pathname on the screen. It enables interceptions and pages that
     * exist only in slots.
     */
    match(
      pathname: string,
      { from }: { readonly from?: string | undefined } = {},
    ): RouteMatch | null {
      const segments = splitPathname(pathname)
      if (!segments) return null
      if (from !== undefined && from !== pathname && interceptions.length > 0) {
        const fromSegments = splitPathname(from)
        const background = fromSegments && matchPlain(fromSegments)
        const plainPattern = findInBranch(main, segments)?.leaf.place.pattern ?? null
        const intercepted =
          background &&
          intercept({ segments, plainPattern, fromSegments, background: background.root })
        if (intercepted) {
          const { leaf, root } = intercepted
          return { ...routeMatch(leaf, segments, root), interceptedFrom: true }
        }
      }
      return matchPlain(segments)
    },
  }
}

function routeMatch(
  leaf: LeafEntry,
  segments: readonly string[],
  root: MatchedSegment,
): RouteMatch {
  const { place, pattern, kind, file } = leaf
  let params: Params = {}
  place.pattern.forEach((segment, index) => {
    params = withParam(params, segment, index, segments)
  })
  return { pattern, params, leaf: kind, file, root, interceptedFrom: false }
}

/**
 * Finds the root layout for unmatched URLs. If there are several, picks the one whose routes share
 * the longest part of the URL.
 */
export function createNotFoundMatch(main: Branch): (segments: readonly string[]) => MatchedSegment {
  const pages = main.leaves.filter(({ kind }) => kind === 'page')
  const layouts = new Set(pages.map(({ place }) => rootLayoutOf(place)))

  const { node } = main.root
  const global = node.files['global-not-found']
  if (global !== undefined) {
    const leaf = matchedLeaf(node, '', {}, { kind: 'not-found', file: global })
    return () => ({ ...leaf, key: '#global-not-found' })
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
