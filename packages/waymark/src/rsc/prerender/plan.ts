import type { ServerBuild } from '../../builds/buildManifest.ts'
import type { PlannedRoute } from '../../builds/cachedPage.ts'
import { type ParamValue, pathnameOf } from '../../routing/href.ts'
import { splitPathname } from '../../routing/matchedSegments.ts'
import {
  chainOf,
  collectRouteEntries,
  type LeafEntry,
  type ListedRoute,
  listLeaves,
  type RouteEntry,
} from '../../routing/routeEntries.ts'
import { fileParam, metadataFileKind, type RouteTree } from '../../routing/routeFile.ts'
import type { RouteUrls } from '../../routing/routeUrls.ts'
import { addLeaf, createUrlIndex, findLeaf, type UrlIndex } from '../../routing/trie.ts'
import { frameworkError } from '../../shared/errors.ts'
import {
  type ConfiguredFile,
  dynamicReasonOf,
  type RenderingConfig,
  readRenderingConfig,
} from '../page/routeConfig.ts'
import type { RouteModules } from '../page/routeModules.ts'
import { runWithoutRequest } from '../request/after.ts'
import { isStaticRouteHandler } from '../request/routeHandler.ts'

/** Plans which pages a build renders. @throws `PRERENDER_FAILED` if a `generateStaticParams` function throws */
export function planRoutes(app: PlannedApp): Promise<PlannedRoute[]> {
  return planLeaves(listLeaves(app.tree), app)
}

/** The parts of an app that decide which pages a build renders. */
export type PlannedApp = {
  readonly tree: RouteTree
  readonly modules: RouteModules
  readonly routeUrls?: RouteUrls | null
}

/** Plans some routes, and loads only their files. */
async function planLeaves(
  leaves: readonly LeafEntry[],
  { tree, modules, routeUrls = null }: PlannedApp,
): Promise<PlannedRoute[]> {
  const planned = new Set(leaves.flatMap(chainFiles))
  const routes = await listStaticPaths(tree, async (file, params) =>
    planned.has(file) ? generate(modules, file, params) : null,
  )
  const toUrl = (pathname: string) => routeUrls?.toUrl(pathname) ?? pathname
  const routeOf = new Map(
    routes.map((route) => [route.file, { ...route, pathnames: route.pathnames.map(toUrl) }]),
  )
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

/** Returns the files that configure a route, from the root layout down. */
function chainFiles(leaf: LeafEntry): string[] {
  return filesOf(leaf).map(({ file }) => file)
}

function handlerReason(kind: 'page' | 'route', files: readonly ConfiguredFile[]): string | null {
  const handler = files.at(-1)
  if (kind === 'page' || !handler || metadataFileKind(handler.file)) return null
  return isStaticRouteHandler(handler.module) ? null : 'not force-static'
}

function paramsReason({ dynamic }: RenderingConfig, missing: readonly string[]): string | null {
  // The pages of these routes are cached on the first request, so don't report missing params.
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
    generated = await runWithoutRequest(() => generateStaticParams({ params }))
  } catch (thrown) {
    throw Object.assign(refuse(thrown instanceof Error ? thrown.message : String(thrown)), {
      cause: thrown,
    })
  }
  if (!Array.isArray(generated)) throw refuse('it did not return a list of params')
  return generated as StaticParams[]
}

/**
 * True if a route responds to a pathname. A route with `dynamicParams = false` only responds to
 * pathnames that `generateStaticParams` lists.
 */
export type IsListed = (pattern: string, pathname: string) => boolean | Promise<boolean>

/**
 * Creates the function that checks if a route lists a pathname.
 * @param closed pathnames of closed routes; `null` in development, where `generateStaticParams`
 * runs on the first request
 */
export function createIsListed({
  closed,
  ...app
}: PlannedApp & { readonly closed: ServerBuild['closedRoutes'] }): IsListed {
  if (closed !== null) {
    const sets = new Map(Object.entries(closed).map(([pattern, list]) => [pattern, new Set(list)]))
    return (pattern, pathname) => sets.get(pattern)?.has(pathname) ?? true
  }
  const listed = new Map<string, Promise<ReadonlySet<string> | null>>()
  return async (pattern, pathname) => {
    if (!pattern.includes('[')) return true
    const pathnames = listed.get(pattern) ?? listClosedRoute(pattern, app)
    listed.set(pattern, pathnames)
    return (await pathnames)?.has(pathname) ?? true
  }
}

/** Lists a closed route's pathnames. @returns `null` for a route that isn't closed */
async function listClosedRoute(
  pattern: string,
  app: PlannedApp,
): Promise<ReadonlySet<string> | null> {
  const leaf = listLeaves(app.tree).find((each) => each.pattern === pattern)
  const [route] = await planLeaves(leaf ? [leaf] : [], app)
  return !route || route.rendersOthers ? null : new Set(route.pathnames)
}

/**
 * Creates a function that returns true if a route intercepts the pathname, so that a navigation
 * inside the app may show a different page.
 */
export function createIsIntercepted(
  tree: RouteTree,
  routeUrls: RouteUrls | null = null,
): (pathname: string) => boolean {
  // Create the index on first use, so that the server starts faster.
  let index: UrlIndex<true> | null = null
  return (pathname) => {
    if (index === null) {
      index = createUrlIndex<true>()
      const { interceptions, besideOnly } = collectRouteEntries(tree)
      for (const { leaf } of [...interceptions, ...besideOnly]) {
        addLeaf(index, leaf.place.pattern, true)
      }
    }
    const routePathname = routeUrls?.toRoute(pathname) ?? pathname
    return findLeaf(index, splitPathname(routePathname) ?? [], 0) !== null
  }
}

export type StaticParams = Readonly<Record<string, ParamValue | undefined>>

/**
 * Calls a file's `generateStaticParams` with the params of the files above. Returns `null` if the
 * file has none.
 */
export type GenerateStaticParams = (
  file: string,
  params: StaticParams,
) => Promise<readonly StaticParams[] | null>

export type StaticRoute = ListedRoute & {
  /** Canonical pathnames without duplicates, in the order in which they were generated. */
  readonly pathnames: readonly string[]
  /** Params without known values. With any of these, the route's pathnames are unknown. */
  readonly missingParams: readonly string[]
}

/**
 * Lists the pathnames of a route. As in the App Router, files generate params from the root down:
 * each file runs once for each result of the files above it.
 */
export async function listStaticPaths(
  tree: RouteTree,
  generate: GenerateStaticParams,
): Promise<StaticRoute[]> {
  const generateOnce = memoize(generate)
  const routes: StaticRoute[] = []
  for (const leaf of listLeaves(tree)) routes.push(await staticRoute(leaf, generateOnce))
  return routes
}

async function staticRoute(leaf: LeafEntry, generate: GenerateStaticParams): Promise<StaticRoute> {
  const { pattern, kind, file, place } = leaf
  const generating = new Set<RouteEntry>()
  let sets: readonly StaticParams[] = [{}]
  const isStatic = place.pattern.every((segment) => segment.kind === 'static')
  for (const each of isStatic ? [] : filesOf(leaf)) {
    const below: StaticParams[] = []
    for (const params of sets) {
      const generated = await generate(each.file, params)
      if (generated) generating.add(each.place)
      for (const generatedParams of generated ?? []) checkParams(generatedParams, each, leaf)
      for (const generatedParams of generated ?? [{}]) below.push({ ...params, ...generatedParams })
    }
    sets = below
  }
  const missingParams = missingIn(place, sets, generating)
  const completeSets = missingParams.length === 0 ? sets : []
  const pathnames = new Set(completeSets.map((params) => pathnameOf(pattern, params)))
  return { pattern, kind, file, pathnames: [...pathnames], missingParams }
}

function filesOf(leaf: LeafEntry): { place: RouteEntry; file: string }[] {
  const layouts = chainOf(leaf.place).flatMap((place) => {
    const { layout } = place.node.files
    return layout === undefined ? [] : [{ place, file: layout }]
  })
  return [...layouts, leaf]
}

/**
 * Checks a result of `generateStaticParams`.
 * @throws `STATIC_PARAMS` if the result has none of its file's params, or if a page's result has
 * unknown params
 */
function checkParams(
  generatedParams: unknown,
  { place, file }: { place: RouteEntry; file: string },
  leaf: LeafEntry,
): void {
  const dynamic = place.pattern.filter((segment) => segment.kind !== 'static')
  const params = dynamic.map(({ param }) => param)
  // A layout's params may be meant for the routes below it, so accept any.
  if (params.length === 0) return
  const isObject =
    typeof generatedParams === 'object' &&
    generatedParams !== null &&
    !Array.isArray(generatedParams)
  const keys = isObject ? Object.keys(generatedParams) : []
  // An image's result may be empty if its page has unknown params.
  const mayBeEmpty = dynamic.some(
    ({ kind, param }) => kind === 'optional-rest' || param === fileParam,
  )
  const knows = keys.some((key) => params.includes(key)) || (keys.length === 0 && mayBeEmpty)
  const hasAllKeys = file !== leaf.file || keys.every((key) => params.includes(key))
  if (isObject && knows && hasAllKeys) return
  const returned = isObject
    ? JSON.stringify(generatedParams).slice(0, 100)
    : String(generatedParams)
  throw frameworkError('STATIC_PARAMS', { file: `app/${file}`, returned, params })
}

function missingIn(
  { pattern }: RouteEntry,
  sets: readonly StaticParams[],
  generating: ReadonlySet<RouteEntry>,
): string[] {
  return pattern.flatMap((segment) => {
    if (segment.kind === 'static') return []
    const { param } = segment
    if (sets.every((params) => Object.hasOwn(params, param))) return []
    // True if a file in an optional catch-all's folder generates params. Such a file may omit the
    // catch-all's param.
    const knows = [...generating].some((place) => place.pattern.length === pattern.length)
    return segment.kind === 'optional-rest' && knows ? [] : [param]
  })
}

function memoize(generate: GenerateStaticParams): GenerateStaticParams {
  const results = new Map<string, ReturnType<GenerateStaticParams>>()
  return (file, params) => {
    const key = JSON.stringify([file, params])
    const result = results.get(key) ?? generate(file, params)
    results.set(key, result)
    return result
  }
}
