import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import { Expect } from '../../_ui/expect.tsx'

export const metadata: Metadata = { title: 'Beside an action' }

export default function Beside(): ReactNode {
  return (
    <>
      <h2>Another page</h2>
      <Expect>
        <li>You get here at once, even while the action above is running.</li>
        <li>The result of the action still appears above.</li>
      </Expect>
    </>
  )
}
