import type { ReactNode } from 'react'
import { Counter } from './counter.tsx'
import type { LinkComponent } from './link.ts'
import { type Item, items } from './lists.ts'
import { readQuery, type SearchParams } from './query.ts'

/** The dynamic page with 100 items and links. */
export async function ItemsPage({
  searchParams,
  Link = 'a',
}: {
  searchParams: SearchParams
  Link?: LinkComponent
}) {
  return <ItemsContent query={await readQuery(searchParams)} Link={Link} />
}

/** The content of the items page, without `async`, for renderers without server components. */
export function ItemsContent({
  query,
  list = items,
  Link = 'a',
}: {
  query: string
  list?: readonly Item[]
  Link?: LinkComponent
}) {
  return (
    <article>
      <h1>A page with 100 items</h1>
      <p>The query says: {query}</p>
      <Counter start={0} />
      <ul className="items">
        {list.map((item) => (
          <Card key={item.id} item={item} query={query} Link={Link} />
        ))}
      </ul>
    </article>
  )
}

function Card({ item, query, Link }: { item: Item; query: string; Link: LinkComponent }) {
  return (
    <li className="card">
      <Link className="card-link" href={`/items?q=${item.id}`}>
        {item.title}
      </Link>
      <Label kind="note">{item.note}</Label>
      <Label kind="query">{query}</Label>
    </li>
  )
}

function Label({ kind, children }: { kind: string; children: ReactNode }) {
  return <span className={`label label-${kind}`}>{children}</span>
}
