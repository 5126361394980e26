import { createFileRoute } from '@tanstack/react-router'
import { SmallContent } from '../../shared/small.tsx'
import { readSmall } from '../data.js'

export const Route = createFileRoute('/small')({
  loaderDeps: ({ search }) => ({ query: search.q }),
  loader: ({ deps }) => readSmall({ data: deps.query }),
  component: Page,
})

function Page() {
  return <SmallContent {...Route.useLoaderData()} />
}
