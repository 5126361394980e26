import { parseTarget } from '../../routing/canonicalUrl.ts'
import { createMatcher } from '../../routing/match.ts'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import { collectRouteEntries, type ListedRoute, listRoutes } from '../../routing/routeEntries.ts'
import type { RouteTree } from '../../routing/routeFile.ts'
import { patternOf } from '../../routing/segment.ts'

/**
 * The routes of an app, read from its files at each call. Files are relative to the folder of the
 * routes. Both functions reject with a `FrameworkError` if files contradict each other.
 */
export type InspectedRoutes = {
  /** Lists pages and route handlers, the most specific pattern first. */
  list(): Promise<readonly ListedRoute[]>
  /**
   * Finds the route that a request for a pathname gets.
   * @param pathname as `parsePathname` returns it
   * @returns `null` if no route matches
   */
  explain(pathname: string): Promise<ExplainedRoute | null>
}

/** The route of a pathname, with the files that render it. */
export type ExplainedRoute = ListedRoute & {
  readonly params: Readonly<Record<string, string | readonly string[]>>
  /** From the root layout down; files of slots follow those of the folder that has the slot. */
  readonly files: readonly string[]
  /** Pages that a navigation shows in place of the route when it starts below `from`, a pattern. */
  readonly interceptions: readonly { readonly from: string; readonly file: string }[]
}

export function createInspectedRoutes(readTree: () => Promise<RouteTree>): InspectedRoutes {
  return {
    list: async () => listRoutes(await readTree()),
    async explain(pathname) {
      const tree = await readTree()
      const match = createMatcher(tree).match(pathname)
      if (!match) return null
      const { pattern, params, leaf: kind, file, root } = match
      const files = [...new Set(filesBelow(root))]
      return { pattern, kind, file, params, files, interceptions: interceptionsOf(pattern, tree) }
    },
  }
}

/**
 * Parses a pathname as the server parses that of a request.
 * @param text such as `/blog/one`, percent-encoded; a query is cut
 * @returns the pathname in its canonical form, in which routes match; `null` for a text that the server
 *   refuses or redirects
 */
export function parsePathname(text: string): string | null {
  const parsed = parseTarget(text)
  return parsed.kind === 'ok' ? parsed.pathname : null
}

function interceptionsOf(pattern: string, tree: RouteTree): ExplainedRoute['interceptions'] {
  // Folders may use other names for the same params.
  const shapeOf = (each: string) => each.replace(/\w+(?=\])/g, '')
  return collectRouteEntries(tree)
    .interceptions.filter(({ leaf }) => shapeOf(leaf.pattern) === shapeOf(pattern))
    .map(({ leaf, place }) => ({ from: patternOf(place.parent?.pattern ?? []), file: leaf.file }))
}

function filesBelow(segment: MatchedSegment): string[] {
  if (segment.kind !== 'folder') return segment.page ? [segment.page] : []
  const { page: _, route: __, default: ___, ...shared } = segment.node.files
  return [...Object.values(shared), ...Object.values(segment.slots).flatMap(filesBelow)]
}
