'use client'

import { type ReactNode, useRef, useState, useTransition } from 'react'
import { tickTen } from './actions.ts'
import styles from './frames.module.css'

const visitors = ['One visitor', 'Another visitor']

/** Two visitors of one board, and what can go wrong between them and the server. */
export function Frames({ board: initialBoard }: { board: string }): ReactNode {
  // The page brings another one whenever it is rendered.
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
          Change it ten times
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
          Open the board by itself
        </a>
      </div>
    </>
  )
}

/** Lets frames learn of no change: only what they ask for themselves arrives. @returns mends it */
function cutConnection(frames: readonly (Window & typeof globalThis)[]): () => void {
  const mends = frames.map((frame) => {
    const { fetch } = frame
    frame.fetch = (input, init) =>
      input === '/_waymark/live'
        ? Promise.reject(new TypeError('The lab has cut the connection.'))
        : fetch(input, init)
    // What a browser says when its network is gone: who waits for a response connects again.
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
