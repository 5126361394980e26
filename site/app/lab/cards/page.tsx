import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { HeadNow } from '../metadata/headNow.tsx'

export const metadata: Metadata = { title: 'Social cards' }

export default function Cards(): ReactNode {
  return (
    <>
      <h1>Social cards</h1>
      <p>
        Beside this page stand <code>opengraph-image.tsx</code> and <code>icon.svg</code>. Nothing
        else names them.
      </p>
      <Expect>
        <li>The tab shows a red dot, on this page only.</li>
        <li>The picture below was drawn by the build, from JSX.</li>
        <li>
          <a href="/lab/cards/broken">A card that fails</a> is a 500 with a digest.
        </li>
      </Expect>
      <img
        src="/lab/cards/opengraph-image/image.png"
        alt="The card of this page"
        width={1200}
        height={630}
        style={{ maxWidth: '100%', height: 'auto' }}
      />
      <h2>The head, now</h2>
      <HeadNow />
    </>
  )
}
