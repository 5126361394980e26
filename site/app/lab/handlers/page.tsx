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
        Three files named <code>route.ts</code>: the first one echoes requests, the second one sends
        a stream, and the third one reads a stream.
      </p>
      <h2>Any method</h2>
      <Expect>
        <li>
          The file exports <code>GET</code> and <code>POST</code>. Both return the request that they
          got.
        </li>
        <li>HEAD returns the headers of GET. OPTIONS returns 204 and lists the methods.</li>
        <li>Every other method returns 405, with the same list in the Allow header.</li>
      </Expect>
      <AnyMethod />
      <h2>A stream from the server</h2>
      <Expect>
        <li>Ten lines arrive in one response, one each 400 ms.</li>
        <li>If you stop, the browser closes the connection, and the server cancels its stream.</li>
      </Expect>
      <Ticks />
      <h2>A stream to the server</h2>
      <Expect>
        <li>The handler reads the body in chunks and stores none of them.</li>
        <li>The response is the number of bytes and chunks.</li>
      </Expect>
      <Upload />
    </>
  )
}
