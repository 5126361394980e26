import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { cookies } from 'waymark/server'
import { Expect } from '../_ui/expect.tsx'
import { Requests } from '../_ui/requests.tsx'
import { Door } from './doorForm.tsx'

export const metadata: Metadata = { title: 'proxy.ts' }

type Props = { searchParams: Promise<Record<string, string | string[]>> }

const requests = [
  { url: '/lab/proxy/members', says: 'Redirects back here unless you have the key.' },
  { url: '/lab/proxy/answered', says: 'There is no route here: proxy.ts responds.' },
  { url: '/lab/proxy/other-name', says: 'Shows another page under this URL.' },
]

// Cast the URL, which isn't part of the typed routes because it has no folder.
const rewrittenByProxy: string = '/lab/proxy/other-name'

export default async function ProxyPage({ searchParams }: Props): Promise<ReactNode> {
  const hasKey = (await cookies()).get('lab-key')?.value === 'brass'
  const wasRefused = (await searchParams).refused !== undefined
  return (
    <>
      <h1>proxy.ts</h1>
      <p>
        One function runs before the server looks for a route. Here it guards a page, responds to a
        URL itself, and rewrites another URL.
      </p>
      <Expect>
        <li>Without the key, the members’ page redirects you back here, by link and by reload.</li>
        <li>With the key, proxy.ts lets you through and adds a header.</li>
      </Expect>
      <div className="stage">
        {wasRefused && (
          <p role="status">You were redirected back, because you don’t have the key.</p>
        )}
        <p>{hasKey ? 'You have the key.' : 'You don’t have the key.'}</p>
        <div className="controls">
          <Door hasKey={hasKey} />
          <Link className="button" href="/lab/proxy/members">
            The members’ page
          </Link>
          <Link className="button" href={rewrittenByProxy}>
            The rewritten URL
          </Link>
        </div>
      </div>
      <h2>Responses</h2>
      <Requests requests={requests} headers={['x-lab-proxy', 'content-type']} />
    </>
  )
}
