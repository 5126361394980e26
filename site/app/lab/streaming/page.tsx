import { type ReactNode, Suspense } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { DelayedPart } from './delayedPart.tsx'
import { Delays } from './delays.tsx'
import styles from './streaming.module.css'

export const metadata: Metadata = { title: 'Streaming' }

type Props = { searchParams: Promise<Record<string, string | string[]>> }

export default async function Streaming({ searchParams }: Props): Promise<ReactNode> {
  const query = await searchParams
  const delays = [readDelay(query.a, 500), readDelay(query.b, 1500), readDelay(query.c, 3000)]
  return (
    <>
      <h1>Streaming</h1>
      <p>
        Three parts of this page wait on the server. Everything else shows at once. Each part
        follows in the same response when it’s ready.
      </p>
      <Expect>
        <li>You see the heading, this list and three placeholders immediately.</li>
        <li>The parts arrive in the order of their delays, not in the order of the page.</li>
        <li>With a delay of 0 ms, the document doesn’t contain a placeholder.</li>
        <li>
          Without JavaScript, the browser loads the page again when everything is ready. Until then,
          the page shows no fields.
        </li>
      </Expect>
      <Delays delays={delays} />
      <div className={styles.parts}>
        {delays.map((ms, index) => (
          <Suspense
            // biome-ignore lint/suspicious/noArrayIndexKey: three places that never move
            key={`${index} ${ms}`}
            fallback={<p className={styles.placeholder}>Waiting {ms} ms…</p>}
          >
            <DelayedPart ms={ms} name={'ABC'[index] ?? ''} />
          </Suspense>
        ))}
      </div>
      <p>
        The form sends a plain GET and loads a new document.{' '}
        <Link href="?a=0&b=0&c=0">This link</Link> and{' '}
        <Link href="?a=200&b=2000&c=400">this one</Link> stay in the app. The parts then stream as
        page data.
      </p>
    </>
  )
}

function readDelay(value: string | string[] | undefined, otherwise: number): number {
  const ms = Number(typeof value === 'string' && value !== '' ? value : otherwise)
  return Number.isFinite(ms) ? Math.min(Math.max(Math.round(ms), 0), 10_000) : otherwise
}
