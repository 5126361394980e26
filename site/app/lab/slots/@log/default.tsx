import { setTimeout as sleep } from 'node:timers/promises'
import { type ReactNode, Suspense } from 'react'
import { connection } from 'waymark/server'

export default function Log(): ReactNode {
  return (
    <Suspense fallback={<p className="quiet">Loading the log…</p>}>
      <Lines />
    </Suspense>
  )
}

async function Lines(): Promise<ReactNode> {
  await connection()
  await sleep(1000)
  return <p>The log, from default.tsx.</p>
}
