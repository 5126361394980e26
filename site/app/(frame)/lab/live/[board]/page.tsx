import { live } from '@waymark/live'
import type { ReactNode } from 'react'
import { type Metadata, notFound, type PageProps } from 'waymark'
import { add, tick } from '../../../../lab/live/actions.ts'
import styles from '../../../../lab/live/board.module.css'
import { boardTag, type Entry, isBoardId, readBoard } from '../../../../lab/live/boards.ts'
import { Freshness } from '../../../../lab/live/freshness.tsx'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'A walk on Sunday', robots: { index: false } }

type Props = PageProps<'/lab/live/[board]'>

/** A live board. The page is in a separate group, so that it is shown without the lab's menu. */
export default async function Board({ params }: Props): Promise<ReactNode> {
  const { board } = await params
  if (!isBoardId(board)) notFound()
  live(boardTag(board))
  const entries = readBoard(board)
  const done = entries.filter(({ isDone }) => isDone).length
  return (
    <main className={styles.board}>
      <header className={styles.head}>
        <h1>A walk on Sunday</h1>
        <p>
          {done} of {entries.length}
        </p>
      </header>
      <form action={tick}>
        <input type="hidden" name="board" value={board} />
        <ul className={styles.entries}>
          {entries.map((entry) => (
            <li key={entry.id}>
              <Tick entry={entry} />
            </li>
          ))}
        </ul>
      </form>
      <form action={add} className={styles.add}>
        <input type="hidden" name="board" value={board} />
        <input
          name="text"
          maxLength={40}
          required
          autoComplete="off"
          placeholder="What else?"
          aria-label="What else?"
        />
        <button type="submit">Add</button>
      </form>
      <footer>
        <Freshness />
      </footer>
    </main>
  )
}

function Tick({ entry: { id, text, isDone } }: { entry: Entry }): ReactNode {
  return (
    <button type="submit" name="entry" value={id} aria-pressed={isDone} className={styles.entry}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <rect x="1.5" y="1.5" width="13" height="13" rx="1.5" />
        {isDone && <path d="m4.25 8.25 2.75 2.75 5-6" />}
      </svg>
      <span>{text}</span>
    </button>
  )
}
