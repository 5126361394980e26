import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'

export const metadata: Metadata = { title: 'Arrived' }

type Props = { searchParams: Promise<Record<string, string | string[]>> }

export default async function Arrived({ searchParams }: Props): Promise<ReactNode> {
  return (
    <>
      <h1>Arrived</h1>
      <p>
        You were redirected by <code>{String((await searchParams).from ?? 'nobody')}</code>.
      </p>
      <p>
        <Link href="/lab/redirects">Back to the experiment</Link>
      </p>
    </>
  )
}
