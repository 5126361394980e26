import { Link } from 'waymark'
import { ItemsPage } from '../../shared/items.tsx'
import { Toggle } from '../../shared/toggle.tsx'

export default function Page({ searchParams }) {
  return (
    <>
      <Toggle />
      <ItemsPage searchParams={searchParams} Link={Link} />
    </>
  )
}
