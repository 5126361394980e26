import { Suspense } from 'react'

/** A page that is rendered for each request, with a late part. */
export default async function Page({ searchParams }: { searchParams: Promise<{ q?: string }> }) {
  const { q } = await searchParams
  return (
    <>
      <h1>The target</h1>
      <p>Asked for {q}.</p>
      <Suspense fallback={<p>The rest is coming.</p>}>
        <Rest />
      </Suspense>
    </>
  )
}

async function Rest() {
  await new Promise((resolve) => setTimeout(resolve, 300))
  return <p id="rest">{'The rest. '.repeat(100)}</p>
}
