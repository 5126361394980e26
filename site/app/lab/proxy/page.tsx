import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { cookies } from 'waymark/server'
import { Expect } from '../_ui/expect.tsx'
import { Requests } from '../_ui/requests.tsx'
import { Door } from './doorForm.tsx'

export const metadata: Metadata = { title: 'proxy.ts' }

type Props = { searchParams: Promise<Record<string, string | string[]>> }

const requests = [
  { url: '/lab/proxy/members', says: 'Guarded: redirects back here unless you hold the key.' },
  { url: '/lab/proxy/answered', says: 'Answered by proxy.ts; there is no such route.' },
  { url: '/lab/proxy/other-name', says: 'Another page answers; the address stays.' },
]

// No folder stands for it, so the types of the routes do not know it.
const rewrittenByProxy: string = '/lab/proxy/other-name'

export default async function ProxyPage({ searchParams }: Props): Promise<ReactNode> {
  const hasKey = (await cookies()).get('lab-key')?.value === 'brass'
  const wasRefused = (await searchParams).refused !== undefined
  return (
    <>
      <h1>proxy.ts</h1>
      <p>
        One function runs before the route is looked for. Here it guards a page, answers a URL by
        itself, and lets a page answer under another name.
      </p>
      <Expect>
        <li>
          Without the key, the members’ page sends you back here, by link and by reload alike.
        </li>
        <li>With the key, it lets you through and adds a header.</li>
      </Expect>
      <div className="stage">
        {wasRefused && <p role="status">You were sent back: you do not hold the key.</p>}
        <p>{hasKey ? 'You hold the key.' : 'You do not hold the key.'}</p>
        <div className="controls">
          <Door hasKey={hasKey} />
          <Link className="button" href="/lab/proxy/members">
            The members’ page
          </Link>
          <Link className="button" href={rewrittenByProxy}>
            The other name
          </Link>
        </div>
      </div>
      <h2>What goes out</h2>
      <Requests requests={requests} headers={['x-lab-proxy', 'content-type']} />
    </>
  )
}
