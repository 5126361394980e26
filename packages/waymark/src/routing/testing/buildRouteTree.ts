import type { RouteTree } from '../routeFile.ts'
import { checkRouteFiles } from '../routeTree.ts'

/**
 * Builds a route tree.
 *
 * @param several files with `makesSeveral`; see `parseRouteFile`
 * @throws the first error
 */
export function buildRouteTree(files: readonly string[], several?: ReadonlySet<string>): RouteTree {
  const { tree, errors } = checkRouteFiles(files, several)
  if (errors[0]) throw errors[0]
  return tree
}
