/** The data of the measured lists. Without JSX, so that every framework can import it. */
export type Item = { readonly id: number; readonly title: string; readonly note: string }

/** The items on the items page. */
export const items: readonly Item[] = Array.from({ length: 100 }, (_, index) => ({
  id: index + 1,
  title: `Item number ${index + 1}`,
  note: `A short note about item ${index + 1}, about as long as a line in a list.`,
}))

/** Two UUIDs, as in public benchmarks of server rendering. */
export type Row = { readonly id: string; readonly name: string }

/** The rows of the tables. */
export const rows: readonly Row[] = createRows(1000)

// A linear congruential generator, so that each build and each framework has the same rows.
function createRows(count: number): Row[] {
  let state = 20261130
  const nextDigit = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 28).toString(16)
  }
  const uuid = () => '########-####-####-####-############'.replaceAll('#', nextDigit)
  return Array.from({ length: count }, () => ({ id: uuid(), name: uuid() }))
}
