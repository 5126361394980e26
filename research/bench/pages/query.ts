/** What a page gets as `searchParams`. */
export type SearchParams = Promise<{ readonly [name: string]: string | string[] | undefined }>

/** The value of `?q=`, or `none`; of several values the first. */
export async function readQuery(searchParams: SearchParams): Promise<string> {
  const { q } = await searchParams
  return (Array.isArray(q) ? q[0] : q) ?? 'none'
}
