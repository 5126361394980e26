import { Counter } from './counter.tsx'

/** Two columns of text for each of 1,000 rows, as in the SSR benchmarks of other projects. */
export type Row = { readonly id: string; readonly name: string }

const digits = '0123456789abcdef'
// A linear congruential generator, so that each build has the same rows.
let state = 20261130
function nextDigit(): string {
  state = (state * 1664525 + 1013904223) >>> 0
  return digits[state >>> 28] as string
}
const uuid = () => '########-####-####-####-############'.replaceAll('#', nextDigit)

export const rows: readonly Row[] = Array.from({ length: 1000 }, () => ({
  id: uuid(),
  name: uuid(),
}))

/** A table of 1,000 rows from the server. */
export function RowsPage({ query }: { query: string }) {
  return (
    <article>
      <h1>A table of 1,000 rows</h1>
      <p>The query says: {query}</p>
      <Counter start={0} />
      <table>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </tbody>
      </table>
    </article>
  )
}

function Row({ row }: { row: Row }) {
  return (
    <tr>
      <td>{row.id}</td>
      <td>{row.name}</td>
    </tr>
  )
}
