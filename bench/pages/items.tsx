import type { ReactNode } from 'react'
import { Counter } from './counter.tsx'
import { readQuery, type SearchParams } from './query.ts'

type Item = { readonly id: number; readonly title: string; readonly note: string }

const items: readonly Item[] = Array.from({ length: 100 }, (_, index) => ({
  id: index + 1,
  title: `Item number ${index + 1}`,
  note: `A short note about item ${index + 1}, about as long as a line in a list.`,
}))

/** The dynamic page with 100 items and links. */
export async function ItemsPage({ searchParams }: { searchParams: SearchParams }) {
  return <ItemsContent query={await readQuery(searchParams)} />
}

/** What the items page shows; without `async`, for renderers that know no server components. */
export function ItemsContent({ query }: { query: string }) {
  return (
    <article>
      <h1>A page with 100 items</h1>
      <p>The query says: {query}</p>
      <Counter start={0} />
      <ul className="items">
        {items.map((item) => (
          <Card key={item.id} item={item} query={query} />
        ))}
      </ul>
    </article>
  )
}

function Card({ item, query }: { item: Item; query: string }) {
  return (
    <li className="card">
      <a className="card-link" href={`/items?q=${item.id}`}>
        {item.title}
      </a>
      <Label kind="note">{item.note}</Label>
      <Label kind="query">{query}</Label>
    </li>
  )
}

function Label({ kind, children }: { kind: string; children: ReactNode }) {
  return <span className={`label label-${kind}`}>{children}</span>
}
