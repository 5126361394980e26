import { useRevalidator } from 'react-router'
import { greeting } from '../../shared/greeting.ts'
import { RefreshContent } from '../../shared/refresh.tsx'
import { Link } from '../link.jsx'

export function loader() {
  return { greeting }
}

export default function Page() {
  const { revalidate } = useRevalidator()
  return <RefreshContent refresh={revalidate} Link={Link} />
}
