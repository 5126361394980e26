import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { RenderedAt } from '../_ui/renderedAt.tsx'
import { Reading } from './reading.tsx'
import { Refresh } from './refresh.tsx'

export const metadata: Metadata = { title: 'Caching' }

/** The page is static, and at most half a minute old on a second visit. */
export const revalidate = 30

export default function Caching(): ReactNode {
  return (
    <>
      <h1>Caching</h1>
      <p>
        A page that is rendered again after half a minute, with a part that is kept on its own,
        under a tag.
      </p>
      <Expect>
        <li>Reload within half a minute: in production, both times stay.</li>
        <li>
          Reload later: the page is the old one once more, and is rendered again behind. The next
          reload shows a new time above, and the same one below.
        </li>
        <li>The button ends what has the tag. Both times are new, in this browser at once.</li>
        <li>In development the page is rendered each time, and only the part is kept.</li>
      </Expect>
      <dl className="facts">
        <div>
          <dt>The page</dt>
          <dd>
            <RenderedAt />
          </dd>
        </div>
        <div>
          <dt>The part</dt>
          <dd>
            <Reading />
          </dd>
        </div>
      </dl>
      <Refresh />
    </>
  )
}
