import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { Requests } from '../_ui/requests.tsx'

export const metadata: Metadata = { title: 'Static and dynamic' }

const requests = [
  { url: '/lab/static/built', says: 'Uses no request data: rendered once, at build.' },
  { url: '/lab/static/each', says: 'Awaits connection(): rendered for each request.' },
]

export default function Static(): ReactNode {
  return (
    <>
      <h1>Static and dynamic</h1>
      <p>
        A page that asks nothing of its request is rendered at build and served from memory. A page
        that does is rendered each time.
      </p>
      <Expect>
        <li>In production, the time on the first page is that of the build, whenever you look.</li>
        <li>The time on the second page is now.</li>
        <li>In development, both are rendered for each request, so that an edit shows at once.</li>
        <li>A static document has an ETag, and answers the same ETag with 304.</li>
      </Expect>
      <p className="controls">
        <Link className="button" href="/lab/static/built">
          The static page
        </Link>
        <Link className="button" href="/lab/static/each">
          The dynamic page
        </Link>
      </p>
      <h2>What goes out</h2>
      <Requests requests={requests} headers={['cache-control', 'etag', 'content-encoding']} />
    </>
  )
}
