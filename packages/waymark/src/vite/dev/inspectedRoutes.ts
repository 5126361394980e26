import { parseTarget } from '../../routing/canonicalUrl.ts'
import { createMatcher } from '../../routing/match.ts'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import { collectRouteEntries, type ListedRoute, listRoutes } from '../../routing/routeEntries.ts'
import type { RouteTree } from '../../routing/routeFile.ts'
import { patternOf } from '../../routing/segment.ts'

/**
 * An app's routes, read from its files on each call. File paths are relative to the routes folder.
 * Both functions reject with a `FrameworkError` if files contradict each other.
 */
export type InspectedRoutes = {
  /** Lists pages and route handlers, most specific pattern first. */
  list(): Promise<readonly ListedRoute[]>
  /**
   * Finds the route that matches a pathname.
   *
   * @param pathname as returned by `parsePathname`
   * @returns `null` if no route matches
   */
  explain(pathname: string): Promise<ExplainedRoute | null>
}

/** The route that matches a pathname, with the files that render it. */
export type ExplainedRoute = ListedRoute & {
  readonly params: Readonly<Record<string, string | readonly string[]>>
  /** Files from the root layout down. A folder's own files come before its slots' files. */
  readonly files: readonly string[]
  /** Pages that are shown instead of the route if a navigation starts below the pattern `from`. */
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
 * Parses a pathname in the same way as the server parses a request.
 *
 * @param text percent-encoded, such as `/blog/one`; a query is removed
 * @returns the canonical pathname, which routes match; `null` if the server refuses or redirects it
 */
export function parsePathname(text: string): string | null {
  const parsed = parseTarget(text)
  return parsed.kind === 'ok' ? parsed.pathname : null
}

function interceptionsOf(pattern: string, tree: RouteTree): ExplainedRoute['interceptions'] {
  // Different folders may name the same params differently, so remove the names.
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
