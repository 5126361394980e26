import { rows } from '../../shared/lists.ts'
import { RowsContent } from '../../shared/rows.tsx'

export function loader({ request }) {
  return { query: new URL(request.url).searchParams.get('q') ?? 'none', list: rows }
}

export default function Page({ loaderData }) {
  return <RowsContent query={loaderData.query} list={loaderData.list} />
}
