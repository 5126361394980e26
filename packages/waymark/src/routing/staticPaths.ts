import { frameworkError } from '../shared/errors.ts'
import { type ParamValue, pathnameOf } from './href.ts'
import { fileParam } from './imageFile.ts'
import {
  chainOf,
  type LeafEntry,
  type ListedRoute,
  listLeaves,
  type RouteEntry,
} from './routeEntries.ts'
import type { RouteTree } from './routeFile.ts'

/** Values of params, as an app's `generateStaticParams` gives them. */
export type StaticParams = Readonly<Record<string, ParamValue | undefined>>

/**
 * Runs `generateStaticParams` of a file.
 * @param file relative to the app folder: a layout, a page or a route handler
 * @param params what the files above it gave
 * @returns `null` when the file has no such function
 */
export type GenerateStaticParams = (
  file: string,
  params: StaticParams,
) => Promise<readonly StaticParams[] | null>

/** A route with the pathnames that are known before any request. */
export type StaticRoute = ListedRoute & {
  /** Canonical, without repeats, in the order in which they were generated. */
  readonly pathnames: readonly string[]
  /** Params that no file gave a value for: nothing is known then about the route's URLs. */
  readonly missingParams: readonly string[]
}

/**
 * Lists the pathnames of all routes that can be prerendered. Files generate from the root down,
 * each once for every set of params that those above it gave, as App Router does, and once for all
 * routes.
 * @throws what a function of the app throws; `PARAM_VALUE` for a value no segment can hold
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
  // Folders whose files generate params, perhaps none.
  const generating = new Set<RouteEntry>()
  let sets: readonly StaticParams[] = [{}]
  const isStatic = place.pattern.every((segment) => segment.kind === 'static')
  for (const each of isStatic ? [] : filesOf(leaf)) {
    const below: StaticParams[] = []
    for (const params of sets) {
      const generated = await generate(each.file, params)
      if (generated) generating.add(each.place)
      for (const own of generated ?? []) checkParams(own, each, leaf)
      for (const own of generated ?? [{}]) below.push({ ...params, ...own })
    }
    sets = below
  }
  const missingParams = missingIn(place, sets, generating)
  const known = missingParams.length === 0 ? sets : []
  const pathnames = new Set(known.map((params) => pathnameOf(pattern, params)))
  return { pattern, kind, file, pathnames: [...pathnames], missingParams }
}

/** The files that may generate params of a route, from the root layout down. */
function filesOf(leaf: LeafEntry): { place: RouteEntry; file: string }[] {
  const layouts = chainOf(leaf.place).flatMap((place) => {
    const { layout } = place.node.files
    return layout === undefined ? [] : [{ place, file: layout }]
  })
  return [...layouts, leaf]
}

/** @throws `STATIC_PARAMS` for what gives no param of its place a value, or a page one it has not */
function checkParams(
  own: unknown,
  { place, file }: { place: RouteEntry; file: string },
  leaf: LeafEntry,
): void {
  const dynamic = place.pattern.filter((segment) => segment.kind !== 'static')
  const params = dynamic.map(({ param }) => param)
  // Those of a layout may be for the routes below it.
  if (params.length === 0) return
  const isObject = typeof own === 'object' && own !== null && !Array.isArray(own)
  const keys = isObject ? Object.keys(own) : []
  // Of an image, where the params of its page are not known.
  const mayBeEmpty = dynamic.some(
    ({ kind, param }) => kind === 'optional-rest' || param === fileParam,
  )
  const knows = keys.some((key) => params.includes(key)) || (keys.length === 0 && mayBeEmpty)
  const isKnown = file !== leaf.file || keys.every((key) => params.includes(key))
  if (isObject && knows && isKnown) return
  const found = isObject ? JSON.stringify(own).slice(0, 100) : String(own)
  throw frameworkError('STATIC_PARAMS', { file: `app/${file}`, found, params })
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
    // A file that knows of an optional rest may leave it out.
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
