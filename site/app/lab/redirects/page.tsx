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
    says: 'redirect() inside Suspense, a second after the response has started',
  },
  { url: '/lab//redirects/', says: 'A URL that isn’t canonical' },
]

export default function Redirects(): ReactNode {
  return (
    <>
      <h1>Redirects</h1>
      <p>
        If code redirects before the server sends the first byte, the response has the status 303,
        307 or 308 and a location.
      </p>
      <Expect>
        <li>
          The browser’s <code>fetch</code> hides redirects. So a route handler requests the URLs and
          shows you the responses.
        </li>
        <li>The links lead to the same page and stay in the app.</li>
        <li>The late redirect has started with 200 and still arrives.</li>
      </Expect>
      <h2>Responses</h2>
      <Probes redirects={redirects} />
      <h2>Links</h2>
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
