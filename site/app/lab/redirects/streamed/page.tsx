import { setTimeout as sleep } from 'node:timers/promises'
import { type ReactNode, Suspense } from 'react'
import { redirect } from 'waymark'
import { connection } from 'waymark/server'

export default async function StreamedRedirect(): Promise<ReactNode> {
  await connection()
  return (
    <>
      <h1>Not for long</h1>
      <Suspense fallback={<p>Looking for the way…</p>}>
        <DelayedRedirect />
      </Suspense>
    </>
  )
}

async function DelayedRedirect(): Promise<never> {
  await sleep(1000)
  redirect('/lab/redirects/arrived?from=streamed')
}
