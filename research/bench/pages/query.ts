/** The type of `searchParams` of a page. */
export type SearchParams = Promise<{ readonly [name: string]: string | string[] | undefined }>

/** Returns the value of `?q=`, the first of several values, or `none`. */
export async function readQuery(searchParams: SearchParams): Promise<string> {
  const { q } = await searchParams
  return (Array.isArray(q) ? q[0] : q) ?? 'none'
}
