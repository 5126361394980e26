import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { Requests } from '../_ui/requests.tsx'

export const metadata: Metadata = { title: 'Errors' }

const requests = [
  { url: '/lab/errors/page', says: 'The page throws, and its folder has no error file.' },
  { url: '/lab/errors/custom', says: 'The page throws, and its folder has an error file.' },
  {
    url: '/lab/errors/layout',
    says: 'The layout throws. An error file in its own folder can’t catch that.',
  },
  {
    url: '/lab/errors/streamed',
    says: 'A part of the page throws inside Suspense, a second after the status was sent.',
  },
]

export default function Errors(): ReactNode {
  return (
    <>
      <h1>Errors</h1>
      <p>
        An error on the server gives a 500 with a digest: on the screen, in a header and in the
        server’s log. The message never leaves the server.
      </p>
      <Expect>
        <li>The first three responses have the status 500 and the header x-waymark-digest.</li>
        <li>
          Each request gets a different digest, even for the same error. On the server,{' '}
          <code>waymark errors</code> with the digest prints what happened.
        </li>
        <li>
          The fourth response has started with 200 before the error. Its screen still appears.
        </li>
        <li>The links below stay in the app, and all other links still work.</li>
      </Expect>
      <h2>Responses</h2>
      <Requests requests={requests} headers={['x-waymark-digest', 'cache-control']} />
      <h2>Screens</h2>
      <ul>
        {[
          ...requests,
          { url: '/lab/errors/client', says: 'A client component throws when you click.' },
        ].map(({ url, says }) => (
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
