import type { Query } from './href.ts'

/** A query as a page gets it (`searchParams`), or as `useSearchParams()` returns it. */
export type CurrentParams = URLSearchParams | Query

/**
 * Returns a URL with some search parameters changed. The other parameters stay, in their order.
 *
 * @example `withParams('/products', await searchParams, { page: 2 })` returns `/products?topic=oak&page=2`
 * @param path a path, which may have a hash
 * @param current the current query
 * @param changes new values by name. An array repeats the parameter. `null`, `undefined`, an empty
 *   string and an empty array remove the parameter.
 */
export function withParams<const Path extends string>(
  path: Path,
  current: CurrentParams,
  changes: Query,
): Path | `${Path}?${string}` {
  const params = new URLSearchParams(
    current instanceof URLSearchParams
      ? current
      : Object.entries(current).flatMap(([name, value]) => pairsOf(name, value)),
  )
  for (const [name, value] of Object.entries(changes)) {
    const [first, ...others] = pairsOf(name, value)
    // `set` keeps the position of the parameter, so that equal queries have equal URLs.
    if (first) params.set(...first)
    else params.delete(name)
    for (const other of others) params.append(...other)
  }
  const query = params.toString()
  if (query === '') return path
  const hashAt = path.indexOf('#')
  const end = hashAt === -1 ? path.length : hashAt
  // A template type can't express that the query comes before the hash.
  return `${path.slice(0, end)}?${query}${path.slice(end)}` as `${Path}?${string}`
}

function pairsOf(name: string, value: Query[string]): [name: string, value: string][] {
  const values = Array.isArray(value) ? value : [value]
  return values
    .filter((each) => each !== null && each !== undefined && each !== '')
    .map((each) => [name, String(each)])
}
