import { setTimeout as sleep } from 'node:timers/promises'
import { type ReactNode, Suspense } from 'react'
import { redirect } from 'waymark'
import { connection } from 'waymark/server'

export default async function StreamedRedirect(): Promise<ReactNode> {
  await connection()
  return (
    <>
      <h1>You’ll be redirected</h1>
      <Suspense fallback={<p>Redirecting in a second…</p>}>
        <DelayedRedirect />
      </Suspense>
    </>
  )
}

async function DelayedRedirect(): Promise<never> {
  await sleep(1000)
  redirect('/lab/redirects/arrived?from=streamed')
}
