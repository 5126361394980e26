import { Suspense } from 'react'
import { headers } from 'waymark/server'
import { ItemsContent } from './items.tsx'

/** The time until the hole is filled, in milliseconds. */
export const holeMs = 50

/** The page with 100 items, and a hole that only a request can fill. */
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

/** The same page, without anything that waits for a request. */
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
