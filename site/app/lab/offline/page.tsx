import { SavedPages } from '@waymark/offline'
import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { Origin, WordForm } from './wordForm.tsx'

export const metadata: Metadata = { title: 'Offline' }

export default function OfflinePage(): ReactNode {
  return (
    <>
      <h1>Offline</h1>
      <p>
        This site <Link href="/guide/offline">saves the public pages that you visit</Link>. Switch
        off the network, in the developer tools or on your device, and continue.
      </p>
      <Expect>
        <li>You can open a page of the list below by a click, by a reload and in a new tab.</li>
        <li>A line shows when the page was saved. It disappears when the page is up to date.</li>
        <li>For a page that you haven’t visited, a screen lists the saved ones.</li>
        <li>
          A word that you send waits below the form, even if you close this tab. When the network is
          back, the browser sends the word once.
        </li>
      </Expect>
      <WordForm />
      <Origin />
      <h2>Saved pages</h2>
      <SavedPages />
      <p className="quiet">
        This works in builds only. The dev server removes the pages that a build has saved. Browsers
        allow it on https: and on localhost.
      </p>
    </>
  )
}
