import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'

export const metadata: Metadata = { title: 'Loading files' }

const waits = [300, 1500, 4000]

export default function Loading(): ReactNode {
  return (
    <>
      <h1>Loading files</h1>
      <p>
        The folder below this page has a <code>loading</code> file. It is shown while the page of
        that folder waits, and the page takes its place in the same response.
      </p>
      <Expect>
        <li>A click shows the loading screen at once; the menu stays and works.</li>
        <li>The page replaces it after its delay.</li>
        <li>A reload of that page streams the same way, from the server.</li>
        <li>Clicking elsewhere while it waits leaves it behind.</li>
      </Expect>
      <p className="controls">
        {waits.map((ms) => (
          <Link key={ms} className="button" href={`/lab/loading/slow?ms=${ms}`}>
            Wait {ms} ms
          </Link>
        ))}
      </p>
    </>
  )
}
