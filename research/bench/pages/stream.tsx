import { Suspense } from 'react'
import { readQuery, type SearchParams } from './query.ts'

// Long enough that a client which leaves after the first bytes leaves in the middle.
const delaysMs = [50, 100, 150, 200, 250]

/** A page that streams for a quarter of a second: its shell at once, then five parts. */
export async function StreamPage({ searchParams }: { searchParams: SearchParams }) {
  const query = await readQuery(searchParams)
  return (
    <article>
      <h1>A streaming page</h1>
      <p>The query says: {query}</p>
      {delaysMs.map((delayMs) => (
        <Suspense key={delayMs} fallback={<p>Waiting {delayMs} ms</p>}>
          <DelayedPart delayMs={delayMs} />
        </Suspense>
      ))}
    </article>
  )
}

async function DelayedPart({ delayMs }: { delayMs: number }) {
  await new Promise((resolve) => setTimeout(resolve, delayMs))
  const lines = Array.from({ length: 20 }, (_, line) => `Line ${line} after ${delayMs} ms.`)
  return (
    <section>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </section>
  )
}
