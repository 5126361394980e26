import { ItemsContent } from '../../shared/items.tsx'
import { items } from '../../shared/lists.ts'
import { Link } from '../link.jsx'

export function loader({ request }) {
  return { query: new URL(request.url).searchParams.get('q') ?? 'none', list: items }
}

export default function Page({ loaderData }) {
  return <ItemsContent query={loaderData.query} list={loaderData.list} Link={Link} />
}
