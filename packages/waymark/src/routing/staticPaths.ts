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

export type StaticParams = Readonly<Record<string, ParamValue | undefined>>

/**
 * Runs `generateStaticParams` of a file with the params of those above; `null` when it has none.
 */
export type GenerateStaticParams = (
  file: string,
  params: StaticParams,
) => Promise<readonly StaticParams[] | null>

export type StaticRoute = ListedRoute & {
  /** Canonical, unique, in generated order. */
  readonly pathnames: readonly string[]
  /** Params without values: the route's pathnames are unknown. */
  readonly missingParams: readonly string[]
}

/**
 * Lists the pathnames that can be prerendered. As in App Router, files generate from the root down,
 * once for each result of the files above.
 * @throws errors of the app; `PARAM_VALUE`
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

function filesOf(leaf: LeafEntry): { place: RouteEntry; file: string }[] {
  const layouts = chainOf(leaf.place).flatMap((place) => {
    const { layout } = place.node.files
    return layout === undefined ? [] : [{ place, file: layout }]
  })
  return [...layouts, leaf]
}

/** @throws `STATIC_PARAMS` for a result without own params, or a page with missing ones */
function checkParams(
  own: unknown,
  { place, file }: { place: RouteEntry; file: string },
  leaf: LeafEntry,
): void {
  const dynamic = place.pattern.filter((segment) => segment.kind !== 'static')
  const params = dynamic.map(({ param }) => param)
  // A layout's params may be for the routes below.
  if (params.length === 0) return
  const isObject = typeof own === 'object' && own !== null && !Array.isArray(own)
  const keys = isObject ? Object.keys(own) : []
  // An image whose page has unknown params.
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
    // A file at the place of an optional rest may omit it.
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
