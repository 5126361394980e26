import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { newBoardId } from './boards.ts'
import { Frames } from './frames.tsx'

// Each visitor gets a board of their own.
export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Live data' }

export default function LivePage(): ReactNode {
  return (
    <>
      <h1>Live data</h1>
      <p>
        Two visitors of one board, in two frames. The board is an ordinary page that{' '}
        <Link href="/guide/live-data">says that it is live</Link>.
      </p>
      <Expect>
        <li>Add or tick something in one frame: within a second, the other one shows it.</li>
        <li>Begin to type in the other one before: what is typed stays, and so does the caret.</li>
        <li>Ten changes in a second are two or three requests, and the last one counts.</li>
        <li>
          Cut the connection and change something: the other frame stays as it is, and both say
          after three seconds that they are behind. Press the button again, and they catch up.
        </li>
        <li>
          The same with the network switched off in the browser’s tools. Hide this tab instead: it
          is brought up to date once it is looked at.
        </li>
      </Expect>
      <Frames board={newBoardId()} />
      <p className="quiet">
        The board is yours: whoever has its address may write on it, on a phone, too. It has six
        lines of forty characters, and is forgotten an hour after its last change.
      </p>
    </>
  )
}
