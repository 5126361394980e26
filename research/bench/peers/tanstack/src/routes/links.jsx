import { createFileRoute } from '@tanstack/react-router'
import { LinksContent } from '../../shared/links.tsx'
import { Link } from '../link.jsx'

export const Route = createFileRoute('/links')({ component: Page })

function Page() {
  return <LinksContent Link={Link} />
}
