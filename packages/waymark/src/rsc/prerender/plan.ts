import { listLeaves } from '../../routing/list.ts'
import { metadataFileKind } from '../../routing/metadataFile.ts'
import { chainOf, type LeafEntry } from '../../routing/place.ts'
import type { RouteTree } from '../../routing/routeNode.ts'
import { listStaticPaths, type StaticParams, type StaticRoute } from '../../routing/staticPaths.ts'
import { frameworkError } from '../../shared/errors.ts'
import type { PlannedRoute } from '../../shared/prerendering.ts'
import { isStaticRouteHandler } from '../handlers/routeHandler.ts'
import type { RouteModules } from '../page/routeModules.ts'
import {
  type ConfiguredFile,
  dynamicReasonOf,
  type RenderingConfig,
  readRenderingConfig,
} from './config.ts'

/**
 * Plans which URLs of an app are rendered ahead, from what its files export.
 * @throws `PRERENDER_FAILED` when a `generateStaticParams` throws
 */
export async function planRoutes(tree: RouteTree, modules: RouteModules): Promise<PlannedRoute[]> {
  const routes = await listStaticPaths(tree, (file, params) => generate(modules, file, params))
  const leaves = new Map(listLeaves(tree).map((leaf) => [leaf.file, leaf]))
  return Promise.all(
    routes.map((route) => configure(route, leaves.get(route.file) as LeafEntry, modules)),
  )
}

/**
 * Plans one route, and loads no other's files.
 * @throws as `planRoutes` does
 */
export async function planRoute(
  pattern: string,
  tree: RouteTree,
  modules: RouteModules,
): Promise<PlannedRoute> {
  const leaf = listLeaves(tree).find((each) => each.pattern === pattern)
  if (!leaf) throw new Error(`No route has the pattern ${pattern}.`)
  const own = chainFiles(leaf)
  const routes = await listStaticPaths(tree, async (file, params) =>
    own.includes(file) ? generate(modules, file, params) : null,
  )
  return configure(routes.find(({ file }) => file === leaf.file) as StaticRoute, leaf, modules)
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
  const answersOthers = config.dynamicParams || missingParams.length > 0
  const rendered = { dynamicReason, isPartial, revalidateSeconds }
  return { pattern, kind, file, pathnames, ...rendered, answersOthers }
}

/** The files that a route is configured by, from the root layout down. */
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
  // Its pages are kept as they are asked for.
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
