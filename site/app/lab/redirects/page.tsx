import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { Probes } from './probes.tsx'

export const metadata: Metadata = { title: 'Redirects' }

const redirects = [
  { url: '/lab/redirects/temporary', says: 'redirect() in a page' },
  { url: '/lab/redirects/permanent', says: 'permanentRedirect() in a page' },
  { url: '/lab/redirects/in-layout', says: 'redirect() in a layout' },
  { url: '/lab/redirects/handler', says: 'redirect() in a route handler, with status 303' },
  {
    url: '/lab/redirects/streamed',
    says: 'redirect() inside Suspense, a second after the response began',
  },
  { url: '/lab//redirects/', says: 'A URL that is not in canonical form' },
]

export default function Redirects(): ReactNode {
  return (
    <>
      <h1>Redirects</h1>
      <p>
        A redirect that is decided before the first byte is a true one: 303, 307 or 308, with a
        location.
      </p>
      <Expect>
        <li>
          A browser’s <code>fetch</code> hides redirects, so a route handler here asks its own
          server and tells you what it got.
        </li>
        <li>The links end at the same place, without loading this menu again.</li>
        <li>The late one has begun with 200, and still arrives.</li>
      </Expect>
      <h2>What goes out</h2>
      <Probes redirects={redirects} />
      <h2>Where it leads</h2>
      <ul>
        {redirects.map(({ url, says }) => (
          <li key={url}>
            <Link href={url} prefetch={false}>
              {url}
            </Link>
            <br />
            <span className="quiet">{says}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
