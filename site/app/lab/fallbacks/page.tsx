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
    says: 'The page calls notFound(), and its folder has a not-found file.',
  },
  { url: '/no/such/page', says: 'No route matches this URL.' },
]

export default function Fallbacks(): ReactNode {
  return (
    <>
      <h1>Fallback screens</h1>
      <p>
        A page or layout can show a screen instead of its content. The server knows the status
        before it sends the first byte.
      </p>
      <Expect>
        <li>Each response has the right status, never 200.</li>
        <li>The document contains the screen and its title, and search engines ignore it.</li>
        <li>The links below stay in the app: this menu isn’t loaded again.</li>
      </Expect>
      <h2>Responses</h2>
      <Requests requests={requests} headers={['cache-control']} />
      <h2>Screens</h2>
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
