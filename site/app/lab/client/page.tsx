import { type ReactNode, Suspense } from 'react'
import type { Metadata } from 'waymark'
import { connection } from 'waymark/server'
import { Expect } from '../_ui/expect.tsx'
import { Colour, ColourName, ColourPicker } from './colour.tsx'
import { Fragile } from './fragile.tsx'
import { Measured } from './measured.tsx'
import { Promised } from './promised.tsx'

export const metadata: Metadata = { title: 'Client components' }

export default async function ClientComponents(): Promise<ReactNode> {
  await connection()
  return (
    <>
      <h1>Client components</h1>
      <p>Four uses of client components, inside a page that is a server component.</p>
      <Expect>
        <li>The HTML contains everything. The controls work after hydration.</li>
        <li>The console stays empty.</li>
      </Expect>
      <h2>Context across a server component</h2>
      <Colour>
        <div className="stage">
          <ColourPicker />
          <p className="quiet">
            This paragraph is a server component between two client components.
          </p>
          <ColourName />
        </div>
      </Colour>
      <h2>Refs</h2>
      <Measured />
      <h2>A promise from the server</h2>
      <Suspense fallback={<p className="stage quiet">The promise is pending…</p>}>
        <Promised answer={after(1200)} />
      </Suspense>
      <h2>A package with ‘use client’</h2>
      <Fragile />
    </>
  )
}

function after(ms: number): Promise<string> {
  const startedAt = Date.now()
  return new Promise((resolve) => {
    setTimeout(
      () => resolve(`The server kept this promise after ${Date.now() - startedAt} ms.`),
      ms,
    )
  })
}
