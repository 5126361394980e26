import { setTimeout as sleep } from 'node:timers/promises'
import { Suspense } from 'react'
import { connection } from 'waymark/server'

export default async function Stream() {
  await connection()
  return (
    <main>
      <h1>The first part</h1>
      <Suspense fallback={<p>Loading…</p>}>
        <Later />
      </Suspense>
    </main>
  )
}

async function Later() {
  await sleep(1_000)
  return <p>The second part</p>
}
