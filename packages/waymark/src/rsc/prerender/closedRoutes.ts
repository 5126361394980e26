import type { RouteTree } from '../../routing/routeNode.ts'
import type { ServerBuild } from '../../shared/build.ts'
import type { RouteModules } from '../page/routeModules.ts'
import { planRoute } from './plan.ts'

/**
 * Tells whether a pathname is one that its route answers: with `dynamicParams = false`, only
 * those that `generateStaticParams` lists.
 * @param pattern of the matched route
 */
export type IsListed = (pattern: string, pathname: string) => boolean | Promise<boolean>

/**
 * Makes the check.
 * @param closed as the build wrote it; without it, as in the dev server, the app's files are asked
 * when the route is first asked for
 */
export function createIsListed(
  closed: ServerBuild['closedRoutes'],
  tree: RouteTree,
  modules: RouteModules,
): IsListed {
  if (closed !== null) {
    const sets = new Map(Object.entries(closed).map(([pattern, list]) => [pattern, new Set(list)]))
    return (pattern, pathname) => sets.get(pattern)?.has(pathname) ?? true
  }
  const asked = new Map<string, Promise<ReadonlySet<string> | null>>()
  return async (pattern, pathname) => {
    if (!pattern.includes('[')) return true
    const listed = asked.get(pattern) ?? askClosedRoute(pattern, tree, modules)
    asked.set(pattern, listed)
    return (await listed)?.has(pathname) ?? true
  }
}

async function askClosedRoute(
  pattern: string,
  tree: RouteTree,
  modules: RouteModules,
): Promise<ReadonlySet<string> | null> {
  const route = await planRoute(pattern, tree, modules)
  return route.answersOthers ? null : new Set(route.pathnames)
}
