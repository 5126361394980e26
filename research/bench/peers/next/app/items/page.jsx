import Link from 'next/link'
import { ItemsPage } from '../../shared/items.tsx'

export default function Page({ searchParams }) {
  return <ItemsPage searchParams={searchParams} Link={Link} />
}
