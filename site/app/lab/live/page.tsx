import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { newBoardId } from './boards.ts'
import { Frames } from './frames.tsx'

// Each visitor gets their own board.
export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Live data' }

export default function LivePage(): ReactNode {
  return (
    <>
      <h1>Live data</h1>
      <p>
        Two visitors see one board, in two frames. The board is an ordinary page that{' '}
        <Link href="/guide/live-data">calls live()</Link>.
      </p>
      <Expect>
        <li>Add or tick something in one frame. Within a second, the other one shows it.</li>
        <li>Start typing in the other frame first. Your text and the caret stay.</li>
        <li>Ten changes in a second cause two or three requests, and both frames agree.</li>
        <li>
          Cut the connection and change something. The other frame stays as it is, and after three
          seconds both tell you that they are behind. Press the button again, and they catch up.
        </li>
        <li>
          The same happens if you switch off the network in the developer tools. If you hide this
          tab instead, it catches up when you look at it again.
        </li>
      </Expect>
      <Frames board={newBoardId()} />
      <p className="quiet">
        The board is yours. Everybody who has its URL can write on it, also on a phone. It holds six
        lines of forty characters, and the server deletes it an hour after its last change.
      </p>
    </>
  )
}
