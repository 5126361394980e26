import { RowsPage } from '../../../pages/rows.tsx'
import { readQuery, type SearchParams } from '../../../pages/query.ts'

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  return <RowsPage query={await readQuery(searchParams)} />
}
