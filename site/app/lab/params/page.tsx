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
        Whatever stands in a dynamic segment of the URL arrives decoded, on the server and in the
        browser. <code>Link</code> writes the URL from the parts.
      </p>
      <Expect>
        <li>The value on the page is the text that was meant, letter by letter.</li>
        <li>Server, browser and a reload agree.</li>
        <li>
          A value that no URL segment can hold, such as <code>..</code> or one with a slash, is
          refused when the link is written.
        </li>
      </Expect>
      <TryParam />
      <h2>Ready-made ones</h2>
      <ParamLinks />
    </>
  )
}
