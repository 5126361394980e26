import Link from 'next/link'
import { greeting } from '../../shared/greeting.ts'
import { StartContent } from '../../shared/start.tsx'

export default function Page() {
  return <StartContent greeting={greeting} Link={Link} />
}
