import { KeptPages } from '@waymark/offline'
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
        This site <Link href="/guide/offline">keeps the public pages that were seen</Link>. Switch
        the network off, in the browser’s tools or on the device, and go on.
      </p>
      <Expect>
        <li>A page of the list below opens by a click, by a reload, and in a new tab.</li>
        <li>A line says as of when it is, and goes once the network is back.</li>
        <li>A page that was not seen leads to a screen that lists the others.</li>
        <li>
          A word that you send waits below the form, also when this tab is closed; with the network
          it is sent by itself, and is there once.
        </li>
      </Expect>
      <WordForm />
      <Origin />
      <h2>What is kept</h2>
      <KeptPages />
      <p className="quiet">
        Builds only: the dev server takes out what a build has left. Browsers allow it on https and
        on localhost.
      </p>
    </>
  )
}
