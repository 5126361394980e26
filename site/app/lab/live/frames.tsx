'use client'

import { type ReactNode, useRef, useState, useTransition } from 'react'
import { tickTen } from './actions.ts'
import styles from './frames.module.css'

const visitors = ['One visitor', 'Another visitor']

/** Shows one board for two visitors in two frames, and can cut their connection. */
export function Frames({ board: initialBoard }: { board: string }): ReactNode {
  // Keep the first id, because each rendering of the page passes a new one.
  const [board] = useState(initialBoard)
  const [isBusy, startTransition] = useTransition()
  const frames = useRef<HTMLDivElement>(null)
  const [mend, setMend] = useState<(() => void) | null>(null)
  const address = `/lab/live/${board}`

  function turnConnection(): void {
    mend?.()
    const windows = [...(frames.current?.querySelectorAll('iframe') ?? [])].flatMap(
      ({ contentWindow }) => (contentWindow ? [contentWindow as Window & typeof globalThis] : []),
    )
    setMend(() => (mend ? null : cutConnection(windows)))
  }

  return (
    <>
      <div ref={frames} className={styles.frames}>
        {visitors.map((visitor) => (
          <figure key={visitor} className={styles.visitor}>
            <figcaption>{visitor}</figcaption>
            <iframe src={address} title={visitor} className={styles.frame} />
          </figure>
        ))}
      </div>
      <div className={`controls ${styles.controls}`}>
        <button
          type="button"
          className="button"
          aria-busy={isBusy}
          onClick={() => startTransition(() => tickTen(board))}
        >
          Change the board ten times
        </button>
        <button
          type="button"
          className="button"
          aria-pressed={mend !== null}
          onClick={turnConnection}
        >
          Cut the connection
        </button>
        <a href={address} target="_blank" rel="noreferrer" className="button">
          Open the board in a new tab
        </a>
      </div>
    </>
  )
}

/** Cuts the live connection of the frames. Returns a function that restores it. */
function cutConnection(frames: readonly (Window & typeof globalThis)[]): () => void {
  const mends = frames.map((frame) => {
    const { fetch } = frame
    frame.fetch = (input, init) =>
      input === '/_waymark/live'
        ? Promise.reject(new TypeError('The lab has cut the connection.'))
        : fetch(input, init)
    // Fire the event that browsers fire when the network is gone, so that a waiting client reconnects.
    frame.dispatchEvent(new Event('offline'))
    return () => {
      frame.fetch = fetch
      frame.dispatchEvent(new Event('online'))
    }
  })
  return () => {
    for (const mend of mends) mend()
  }
}
