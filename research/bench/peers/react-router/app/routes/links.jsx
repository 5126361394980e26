import { LinksContent } from '../../shared/links.tsx'
import { Link } from '../link.jsx'

export default function Page() {
  return <LinksContent Link={Link} />
}
