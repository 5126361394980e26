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
        The folder below this page has a <code>loading</code> file. Its screen shows while the page
        of the folder loads. The page replaces it in the same response.
      </p>
      <Expect>
        <li>A click shows the loading screen at once. The menu stays and works.</li>
        <li>The page replaces the loading screen after its delay.</li>
        <li>If you reload the page, the document streams in the same way.</li>
        <li>If you click another link while the page loads, you go there at once.</li>
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
