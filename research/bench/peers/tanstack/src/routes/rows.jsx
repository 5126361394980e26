import { createFileRoute } from '@tanstack/react-router'
import { RowsContent } from '../../shared/rows.tsx'
import { readRows } from '../data.js'

export const Route = createFileRoute('/rows')({
  loaderDeps: ({ search }) => ({ query: search.q }),
  loader: ({ deps }) => readRows({ data: deps.query }),
  component: Page,
})

function Page() {
  return <RowsContent {...Route.useLoaderData()} />
}
