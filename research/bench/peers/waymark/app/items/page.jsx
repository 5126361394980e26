import { Link } from 'waymark'
import { ItemsPage } from '../../shared/items.tsx'

export default function Page({ searchParams }) {
  return <ItemsPage searchParams={searchParams} Link={Link} />
}
