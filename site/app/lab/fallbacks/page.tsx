import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { Requests } from '../_ui/requests.tsx'

export const metadata: Metadata = { title: 'Fallback screens' }

const requests = [
  { url: '/lab/fallbacks/missing', says: 'The page calls notFound().' },
  { url: '/lab/fallbacks/secret', says: 'The page calls forbidden().' },
  { url: '/lab/fallbacks/members', says: 'The page calls unauthorized().' },
  {
    url: '/lab/fallbacks/custom',
    says: 'notFound() beside a not-found file: the app’s own screen.',
  },
  { url: '/no/such/page', says: 'No route answers this URL.' },
]

export default function Fallbacks(): ReactNode {
  return (
    <>
      <h1>Fallback screens</h1>
      <p>
        A page or layout can end in a screen instead of its content. The status is decided before
        the first byte goes out.
      </p>
      <Expect>
        <li>Each request is answered with its true status, and never with 200.</li>
        <li>The screen is in the document, with a title, and hidden from search engines.</li>
        <li>Following the links below stays in the app: this menu is not loaded again.</li>
      </Expect>
      <h2>What goes out</h2>
      <Requests requests={requests} headers={['cache-control']} />
      <h2>What it looks like</h2>
      <ul>
        {requests.map(({ url, says }) => (
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
