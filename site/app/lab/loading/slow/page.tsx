import { setTimeout as sleep } from 'node:timers/promises'
import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'

export const metadata: Metadata = { title: 'A slow page' }

type Props = { searchParams: Promise<Record<string, string | string[]>> }

export default async function Slow({ searchParams }: Props): Promise<ReactNode> {
  const ms = Math.min(Math.max(Number((await searchParams).ms) || 1500, 0), 10_000)
  await sleep(ms)
  return (
    <>
      <h1>Here it is</h1>
      <p>This page waited {ms} ms on the server.</p>
      <p>
        <Link href="/lab/loading">Back to the experiment</Link>
      </p>
    </>
  )
}
