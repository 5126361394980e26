import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { ParamLinks } from './paramLinks.tsx'
import { TryParam } from './tryParam.tsx'

export const metadata: Metadata = { title: 'Params' }

export default function Params(): ReactNode {
  return (
    <>
      <h1>Params</h1>
      <p>
        A page gets the text of a dynamic segment decoded, on the server and in the browser.{' '}
        <code>Link</code> builds the URL from the parts.
      </p>
      <Expect>
        <li>The page shows exactly the text of the link.</li>
        <li>Server and browser show the same value, also after a reload.</li>
        <li>
          <code>Link</code> refuses a value that can’t be a segment, such as <code>..</code> or text
          with a slash.
        </li>
      </Expect>
      <TryParam />
      <h2>Examples</h2>
      <ParamLinks />
    </>
  )
}
