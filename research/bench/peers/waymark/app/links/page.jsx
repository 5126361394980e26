import { Link } from 'waymark'
import { LinksContent } from '../../shared/links.tsx'

export default function Page() {
  return <LinksContent Link={Link} />
}
