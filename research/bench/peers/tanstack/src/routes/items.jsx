import { createFileRoute } from '@tanstack/react-router'
import { ItemsContent } from '../../shared/items.tsx'
import { readItems } from '../data.js'
import { Link } from '../link.jsx'

export const Route = createFileRoute('/items')({
  loaderDeps: ({ search }) => ({ query: search.q }),
  loader: ({ deps }) => readItems({ data: deps.query }),
  component: Page,
})

function Page() {
  return <ItemsContent {...Route.useLoaderData()} Link={Link} />
}
