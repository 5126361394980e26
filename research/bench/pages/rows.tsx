import { Counter } from './counter.tsx'
import { type Row, rows } from './lists.ts'
import { readQuery, type SearchParams } from './query.ts'
import { RowTable } from './rowTable.tsx'

type ContentProps = { query: string; list?: readonly Row[] }

/** The dynamic page with a table of 1,000 rows. */
export async function RowsPage({ searchParams }: { searchParams: SearchParams }) {
  return <RowsContent query={await readQuery(searchParams)} />
}

/** The content of the rows page, without `async`, for renderers without server components. */
export function RowsContent({ query, list = rows }: ContentProps) {
  return (
    <article>
      <h1>A table of 1,000 rows</h1>
      <p>The query says: {query}</p>
      <Counter start={0} />
      <table>
        <tbody>
          {list.map((row) => (
            <TableRow key={row.id} row={row} />
          ))}
        </tbody>
      </table>
    </article>
  )
}

/** The same rows in a client component. */
export async function ClientRowsPage({ searchParams }: { searchParams: SearchParams }) {
  return <ClientRowsContent query={await readQuery(searchParams)} />
}

/** The content of the page with a client component, without `async`. */
export function ClientRowsContent({ query, list = rows }: ContentProps) {
  return (
    <article>
      <h1>A client table of 1,000 rows</h1>
      <p>The query says: {query}</p>
      <RowTable list={list} />
    </article>
  )
}

function TableRow({ row }: { row: Row }) {
  return (
    <tr>
      <td>{row.id}</td>
      <td>{row.name}</td>
    </tr>
  )
}
