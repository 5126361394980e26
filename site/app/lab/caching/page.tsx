import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { RenderedAt } from '../_ui/renderedAt.tsx'
import { Reading } from './reading.tsx'
import { Refresh } from './refresh.tsx'

export const metadata: Metadata = { title: 'Caching' }

/** Make the page static, and render it again when it's older than half a minute. */
export const revalidate = 30

export default function Caching(): ReactNode {
  return (
    <>
      <h1>Caching</h1>
      <p>
        The server caches this page for half a minute. The page contains a component that has its
        own cache entry with a tag.
      </p>
      <Expect>
        <li>In production, both times stay the same if you reload within half a minute.</li>
        <li>
          If you reload later, you get the old page once more while the server renders a new one.
          The next reload shows a new time for the page and the same time for the component.
        </li>
        <li>The button invalidates the tag. Both times change, at once in this browser.</li>
        <li>In development, only the component is cached.</li>
      </Expect>
      <dl className="facts">
        <div>
          <dt>The page</dt>
          <dd>
            <RenderedAt />
          </dd>
        </div>
        <div>
          <dt>The component</dt>
          <dd>
            <Reading />
          </dd>
        </div>
      </dl>
      <Refresh />
    </>
  )
}
