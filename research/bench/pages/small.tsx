import { Counter } from './counter.tsx'
import { readQuery, type SearchParams } from './query.ts'

/** The small dynamic page, which depends on the query. */
export async function SmallPage({ searchParams }: { searchParams: SearchParams }) {
  return <SmallContent query={await readQuery(searchParams)} />
}

/** The content of the small page, without `async`, for renderers without server components. */
export function SmallContent({ query }: { query: string }) {
  return (
    <article>
      <h1>A small dynamic page</h1>
      <p>The query says: {query}</p>
      <Counter start={0} />
    </article>
  )
}
