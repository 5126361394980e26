import { splitPathname } from '../../routing/matchedSegments.ts'
import {
  chainOf,
  collectRouteEntries,
  type LeafEntry,
  listLeaves,
} from '../../routing/routeEntries.ts'
import { metadataFileKind, type RouteTree } from '../../routing/routeFile.ts'
import { listStaticPaths, type StaticParams, type StaticRoute } from '../../routing/staticPaths.ts'
import { addLeaf, createUrlIndex, findLeaf, type UrlIndex } from '../../routing/trie.ts'
import type { ServerBuild } from '../../shared/buildManifest.ts'
import type { PlannedRoute } from '../../shared/cachedPage.ts'
import { frameworkError } from '../../shared/errors.ts'
import {
  type ConfiguredFile,
  dynamicReasonOf,
  type RenderingConfig,
  readRenderingConfig,
} from '../page/routeConfig.ts'
import type { RouteModules } from '../page/routeModules.ts'
import { isStaticRouteHandler } from '../request/routeHandler.ts'

/**
 * Plans the prerendered URLs from the files' exports.
 * @throws `PRERENDER_FAILED` when a `generateStaticParams` throws
 */
export function planRoutes(tree: RouteTree, modules: RouteModules): Promise<PlannedRoute[]> {
  return planLeaves(listLeaves(tree), tree, modules)
}

/** Loads only the files of these routes. */
async function planLeaves(
  leaves: readonly LeafEntry[],
  tree: RouteTree,
  modules: RouteModules,
): Promise<PlannedRoute[]> {
  const own = new Set(leaves.flatMap(chainFiles))
  const routes = await listStaticPaths(tree, async (file, params) =>
    own.has(file) ? generate(modules, file, params) : null,
  )
  const routeOf = new Map(routes.map((route) => [route.file, route]))
  return Promise.all(
    leaves.map((leaf) => configure(routeOf.get(leaf.file) as StaticRoute, leaf, modules)),
  )
}

async function configure(
  route: StaticRoute,
  leaf: LeafEntry,
  modules: RouteModules,
): Promise<PlannedRoute> {
  const { pattern, kind, file, pathnames, missingParams } = route
  const files = await Promise.all(chainFiles(leaf).map(modules.load))
  const config = readRenderingConfig(files)
  const dynamicReason =
    dynamicReasonOf(config) ?? handlerReason(kind, files) ?? paramsReason(config, missingParams)
  const { revalidateSeconds } = config
  const isPartial = kind === 'page' && config.dynamic === 'partial'
  const rendersOthers = config.dynamicParams || missingParams.length > 0
  const rendered = { dynamicReason, isPartial, revalidateSeconds }
  return { pattern, kind, file, pathnames, ...rendered, rendersOthers }
}

/** Files that configure a route, from the root layout down. */
function chainFiles({ place, file }: LeafEntry): string[] {
  const layouts = chainOf(place).flatMap(({ node }) => node.files.layout ?? [])
  return [...layouts, file]
}

function handlerReason(kind: 'page' | 'route', files: readonly ConfiguredFile[]): string | null {
  const handler = files.at(-1)
  if (kind === 'page' || !handler || metadataFileKind(handler.file)) return null
  return isStaticRouteHandler(handler.module) ? null : 'not force-static'
}

function paramsReason({ dynamic }: RenderingConfig, missing: readonly string[]): string | null {
  // Pages are cached at their first request.
  if (dynamic === 'force-static' || dynamic === 'partial' || missing.length === 0) return null
  return `no static params for ${missing.join(', ')}`
}

async function generate(
  modules: RouteModules,
  file: string,
  params: StaticParams,
): Promise<readonly StaticParams[] | null> {
  const { module } = await modules.load(file)
  const { generateStaticParams } = module
  if (typeof generateStaticParams !== 'function') return null
  const refuse = (reason: string) =>
    frameworkError('PRERENDER_FAILED', { pathname: 'generateStaticParams', file, reason })
  let generated: unknown
  try {
    generated = await generateStaticParams({ params })
  } catch (thrown) {
    throw Object.assign(refuse(thrown instanceof Error ? thrown.message : String(thrown)), {
      cause: thrown,
    })
  }
  if (!Array.isArray(generated)) throw refuse('it returned no list of params')
  return generated as StaticParams[]
}

/**
 * True when a route responds to a pathname: with `dynamicParams = false`, only for results of
 * `generateStaticParams`.
 * @param pattern of the matched route
 */
export type IsListed = (pattern: string, pathname: string) => boolean | Promise<boolean>

/**
 * @param closed from the build; `null` in the dev server, which reads the app's files at the
 *   route's first request
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
  const listed = new Map<string, Promise<ReadonlySet<string> | null>>()
  return async (pattern, pathname) => {
    if (!pattern.includes('[')) return true
    const pathnames = listed.get(pattern) ?? listClosedRoute(pattern, tree, modules)
    listed.set(pattern, pathnames)
    return (await pathnames)?.has(pathname) ?? true
  }
}

/** @returns `null` for a route that responds to other pathnames, too */
async function listClosedRoute(
  pattern: string,
  tree: RouteTree,
  modules: RouteModules,
): Promise<ReadonlySet<string> | null> {
  const leaf = listLeaves(tree).find((each) => each.pattern === pattern)
  const [route] = await planLeaves(leaf ? [leaf] : [], tree, modules)
  return !route || route.rendersOthers ? null : new Set(route.pathnames)
}

/** True when a navigation inside the app may show another page. */
export function createIsIntercepted(tree: RouteTree): (pathname: string) => boolean {
  // Created at first use, for a faster start.
  let index: UrlIndex<true> | null = null
  return (pathname) => {
    if (index === null) {
      index = createUrlIndex<true>()
      const { interceptions, besideOnly } = collectRouteEntries(tree)
      for (const { leaf } of [...interceptions, ...besideOnly]) {
        addLeaf(index, leaf.place.pattern, true)
      }
    }
    return findLeaf(index, splitPathname(pathname) ?? [], 0) !== null
  }
}
