import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { Seen } from './seen.tsx'

type EchoProps = { params: unknown; searchParams: unknown }

/** Shows the props of a page, and the values of the hooks in the browser. */
export function Echo({ params, searchParams }: EchoProps): ReactNode {
  return (
    <>
      <h1>Params</h1>
      <h2>On the server</h2>
      <dl className="facts">
        <dt>params</dt>
        <dd>
          <code>{JSON.stringify(params)}</code>
        </dd>
        <dt>searchParams</dt>
        <dd>
          <code>{JSON.stringify(searchParams)}</code>
        </dd>
      </dl>
      <h2>In a client component</h2>
      <Seen />
      <p>
        <Link href="/lab/params">Back to the experiment</Link>
      </p>
    </>
  )
}
