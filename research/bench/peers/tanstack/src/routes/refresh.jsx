import { createFileRoute, useRouter } from '@tanstack/react-router'
import { RefreshContent } from '../../shared/refresh.tsx'
import { readGreeting } from '../data.js'
import { Link } from '../link.jsx'

export const Route = createFileRoute('/refresh')({
  loader: () => readGreeting(),
  component: Page,
})

function Page() {
  const router = useRouter()
  return <RefreshContent refresh={() => router.invalidate()} Link={Link} />
}
