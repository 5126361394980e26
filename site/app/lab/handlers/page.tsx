import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { AnyMethod } from './anyMethod.tsx'
import { Ticks } from './ticks.tsx'
import { Upload } from './upload.tsx'

export const metadata: Metadata = { title: 'Route handlers' }

export default function Handlers(): ReactNode {
  return (
    <>
      <h1>Route handlers</h1>
      <p>
        Three files named <code>route.ts</code>: one that echoes, one that streams down, one that
        reads a stream.
      </p>
      <h2>Any method</h2>
      <Expect>
        <li>
          The file exports <code>GET</code> and <code>POST</code>. Both answer with what they got.
        </li>
        <li>HEAD has the headers of GET and no body; OPTIONS is 204 and lists the methods.</li>
        <li>Every other method is 405, with the same list in its Allow header.</li>
      </Expect>
      <AnyMethod />
      <h2>A stream down</h2>
      <Expect>
        <li>A line arrives each 400 ms, in one response, until there are ten.</li>
        <li>Stopping closes the connection, and the server’s stream is told.</li>
      </Expect>
      <Ticks />
      <h2>A stream up</h2>
      <Expect>
        <li>The handler reads the body piece by piece, and holds none of it.</li>
        <li>It answers with the number of bytes and pieces it saw.</li>
      </Expect>
      <Upload />
    </>
  )
}
