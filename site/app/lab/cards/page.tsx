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
        The folder of this page contains <code>opengraph-image.tsx</code> and <code>icon.svg</code>.
        That’s all that is needed.
      </p>
      <Expect>
        <li>On this page, the tab shows a red dot.</li>
        <li>The build has drawn the picture below from JSX.</li>
        <li>
          <a href="/lab/cards/broken">A card that fails</a> gives a 500 with a digest.
        </li>
      </Expect>
      <img
        src="/lab/cards/opengraph-image/image.png"
        alt="The card of this page"
        width={1200}
        height={630}
        style={{ maxWidth: '100%', height: 'auto' }}
      />
      <h2>The current head</h2>
      <HeadNow />
    </>
  )
}
