import { type ParamValue, pathnameOf } from './href.ts'
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
 * Lists the pathnames of all routes that can be rendered ahead. Files are asked from the root
 * down, each once for every set of params that those above it gave, as App Router does; the
 * same question is not asked again for another route.
 * @throws what a function of the app throws; `PARAM_VALUE` for a value no segment can hold
 */
export async function listStaticPaths(
  tree: RouteTree,
  generate: GenerateStaticParams,
): Promise<StaticRoute[]> {
  const ask = once(generate)
  const routes: StaticRoute[] = []
  for (const leaf of listLeaves(tree)) routes.push(await staticRoute(leaf, ask))
  return routes
}

async function staticRoute(leaf: LeafEntry, ask: GenerateStaticParams): Promise<StaticRoute> {
  const { pattern, kind, file } = leaf
  const { sets, answered } = await generatedParams(leaf, ask)
  const missingParams = missingIn(leaf, sets, answered)
  const known = missingParams.length === 0 ? sets : []
  const pathnames = new Set(known.map((params) => pathnameOf(pattern, params)))
  return { pattern, kind, file, pathnames: [...pathnames], missingParams }
}

type Generated = {
  readonly sets: readonly StaticParams[]
  /** Folders whose files gave an answer, an empty one included. */
  readonly answered: ReadonlySet<RouteEntry>
}

async function generatedParams(leaf: LeafEntry, ask: GenerateStaticParams): Promise<Generated> {
  let sets: readonly StaticParams[] = [{}]
  const answered = new Set<RouteEntry>()
  if (!leaf.place.pattern.some(({ kind }) => kind !== 'static')) return { sets, answered }
  for (const { place, file } of askedFiles(leaf)) {
    const below: StaticParams[] = []
    for (const params of sets) {
      const generated = await ask(file, params)
      if (generated) answered.add(place)
      for (const own of generated ?? [{}]) below.push({ ...params, ...own })
    }
    sets = below
  }
  return { sets, answered }
}

function askedFiles(leaf: LeafEntry): { place: RouteEntry; file: string }[] {
  const layouts = chainOf(leaf.place).flatMap((place) => {
    const { layout } = place.node.files
    return layout === undefined ? [] : [{ place, file: layout }]
  })
  return [...layouts, { place: leaf.place, file: leaf.file }]
}

function missingIn(
  leaf: LeafEntry,
  sets: readonly StaticParams[],
  answered: ReadonlySet<RouteEntry>,
): string[] {
  const { pattern } = leaf.place
  return pattern.flatMap((segment) => {
    if (segment.kind === 'static') return []
    const { param } = segment
    if (sets.every((params) => Object.hasOwn(params, param))) return []
    // Leaving an optional rest out is an answer, but only of a file that knows of it.
    const knows = [...answered].some((place) => place.pattern.length === pattern.length)
    return segment.kind === 'optional-rest' && knows ? [] : [param]
  })
}

function once(generate: GenerateStaticParams): GenerateStaticParams {
  const answers = new Map<string, ReturnType<GenerateStaticParams>>()
  return (file, params) => {
    const question = JSON.stringify([file, params])
    const answer = answers.get(question) ?? generate(file, params)
    answers.set(question, answer)
    return answer
  }
}
