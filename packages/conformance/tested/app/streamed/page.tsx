import { Suspense } from 'react'
import { headers } from 'waymark/server'

export default async function Streamed() {
  await headers()
  return (
    <main>
      <p>shell</p>
      <Suspense fallback={<p>waiting</p>}>
        <Late />
      </Suspense>
    </main>
  )
}

async function Late() {
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  return <p>late content</p>
}
