import { createFileRoute } from '@tanstack/react-router'
import { StartContent } from '../../shared/start.tsx'
import { readGreeting } from '../data.js'
import { Link } from '../link.jsx'

export const Route = createFileRoute('/start')({
  loader: () => readGreeting(),
  component: Page,
})

function Page() {
  return <StartContent {...Route.useLoaderData()} Link={Link} />
}
