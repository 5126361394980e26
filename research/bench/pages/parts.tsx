import { Suspense } from 'react'
import { headers } from 'waymark/server'
import { ItemsContent } from './items.tsx'

/** What the hole takes before it is there, in milliseconds. */
export const holeMs = 50

/** The page with 100 items, and a place that only a request can fill. */
export function PartsPage() {
  return (
    <>
      <ItemsContent query="none" />
      <Suspense fallback={<p>Looking for you</p>}>
        <Visitor />
      </Suspense>
    </>
  )
}

/** The same, and nothing of it waits for a request. */
export function WholePage() {
  return (
    <>
      <ItemsContent query="none" />
      <p>You are the visitor of all</p>
    </>
  )
}

async function Visitor() {
  const agent = (await headers()).get('x-visitor') ?? 'nobody'
  await new Promise((resolve) => setTimeout(resolve, holeMs))
  return <p>You are the visitor {agent}</p>
}
