import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { Requests } from '../_ui/requests.tsx'

export const metadata: Metadata = { title: 'Errors' }

const requests = [
  { url: '/lab/errors/page', says: 'The page throws. No error file stands around it.' },
  { url: '/lab/errors/custom', says: 'The page throws, inside a folder with an error file.' },
  { url: '/lab/errors/layout', says: 'The layout throws: its own error file can’t catch that.' },
  {
    url: '/lab/errors/streamed',
    says: 'Throws inside Suspense, a second after the status went out.',
  },
]

export default function Errors(): ReactNode {
  return (
    <>
      <h1>Errors</h1>
      <p>
        What throws on the server is answered with 500 and a digest: on the screen, in a header, and
        in the server’s log. The message never leaves the server.
      </p>
      <Expect>
        <li>The first three are answered with 500 and x-waymark-digest.</li>
        <li>
          Each request gets another digest, although the error is the same. On the server,{' '}
          <code>waymark errors</code> and the digest print what happened.
        </li>
        <li>The fourth has begun with 200 when it throws; its error screen still appears.</li>
        <li>The links below stay in the app, and every other link goes on working.</li>
      </Expect>
      <h2>What goes out</h2>
      <Requests requests={requests} headers={['x-waymark-digest', 'cache-control']} />
      <h2>What it looks like</h2>
      <ul>
        {[...requests, { url: '/lab/errors/client', says: 'A client component, on demand.' }].map(
          ({ url, says }) => (
            <li key={url}>
              <Link href={url} prefetch={false}>
                {url}
              </Link>
              <br />
              <span className="quiet">{says}</span>
            </li>
          ),
        )}
      </ul>
    </>
  )
}
