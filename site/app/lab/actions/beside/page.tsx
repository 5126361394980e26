import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import { Expect } from '../../_ui/expect.tsx'

export const metadata: Metadata = { title: 'Beside an action' }

export default function Beside(): ReactNode {
  return (
    <>
      <h2>Another page</h2>
      <Expect>
        <li>You are here at once, also while the action above is at work.</li>
        <li>Its result arrives there all the same.</li>
      </Expect>
    </>
  )
}
