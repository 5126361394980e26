import { createFileRoute } from '@tanstack/react-router'
import { ClientRowsContent } from '../../shared/rows.tsx'
import { readRows } from '../data.js'

export const Route = createFileRoute('/client-rows')({
  loaderDeps: ({ search }) => ({ query: search.q }),
  loader: ({ deps }) => readRows({ data: deps.query }),
  component: Page,
})

function Page() {
  return <ClientRowsContent {...Route.useLoaderData()} />
}
