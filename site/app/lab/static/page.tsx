import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { Requests } from '../_ui/requests.tsx'

export const metadata: Metadata = { title: 'Static and dynamic' }

const requests = [
  { url: '/lab/static/built', says: 'Uses no request data, so the build renders it once.' },
  {
    url: '/lab/static/each',
    says: 'Awaits connection(), so the server renders it for each request.',
  },
]

export default function Static(): ReactNode {
  return (
    <>
      <h1>Static and dynamic</h1>
      <p>
        The build renders a page that uses no request data, and the server sends it from memory. A
        page that uses request data is rendered for each request.
      </p>
      <Expect>
        <li>In production, the first page always shows the time of the build.</li>
        <li>The second page shows the current time.</li>
        <li>In development, the server renders both for each request, so you see edits at once.</li>
        <li>A static document has an ETag. A request with the same ETag gets a 304.</li>
      </Expect>
      <p className="controls">
        <Link className="button" href="/lab/static/built">
          The static page
        </Link>
        <Link className="button" href="/lab/static/each">
          The dynamic page
        </Link>
      </p>
      <h2>Responses</h2>
      <Requests requests={requests} headers={['cache-control', 'etag', 'content-encoding']} />
    </>
  )
}
