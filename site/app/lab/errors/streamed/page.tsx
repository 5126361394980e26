import { setTimeout as sleep } from 'node:timers/promises'
import { type ReactNode, Suspense } from 'react'
import { connection } from 'waymark/server'

export default async function StreamedError(): Promise<ReactNode> {
  await connection()
  return (
    <>
      <h1>This page starts well</h1>
      <Suspense fallback={<p>Loading a part of the page…</p>}>
        <Failing />
      </Suspense>
    </>
  )
}

async function Failing(): Promise<never> {
  await sleep(1000)
  throw new Error('A part of the page threw after the status was sent.')
}
