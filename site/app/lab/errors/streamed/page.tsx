import { setTimeout as sleep } from 'node:timers/promises'
import { type ReactNode, Suspense } from 'react'
import { connection } from 'waymark/server'

export default async function StreamedError(): Promise<ReactNode> {
  await connection()
  return (
    <>
      <h1>This page begins well</h1>
      <Suspense fallback={<p>A part of it is on its way…</p>}>
        <Failing />
      </Suspense>
    </>
  )
}

async function Failing(): Promise<never> {
  await sleep(1000)
  throw new Error('A part of the page threw when the status had gone out.')
}
