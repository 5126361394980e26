type Query = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Returns a query string with some parameters changed. A value of null removes the parameter.
 * @returns a string such as `?state=open&text=lamp`, or '' for an empty query
 */
export function withParams(
  current: Query,
  changes: Readonly<Record<string, string | null>>,
): `?${string}` | '' {
  const pairs = Object.entries({ ...current, ...changes }).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => [name, each]),
  )
  const params = new URLSearchParams(pairs)
  return params.size > 0 ? `?${params}` : ''
}
