import { greeting } from '../../shared/greeting.ts'
import { StartContent } from '../../shared/start.tsx'
import { Link } from '../link.jsx'

export function loader() {
  return { greeting }
}

export default function Page({ loaderData }) {
  return <StartContent greeting={loaderData.greeting} Link={Link} />
}
