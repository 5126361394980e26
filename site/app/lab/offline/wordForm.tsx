'use client'

import { Outbox, useArrival, useOutbox } from '@waymark/offline'
import { type ReactNode, useActionState, useEffect, useState } from 'react'
import { addWord, readWords } from './actions.ts'
import styles from './page.module.css'

/** A form that waits for the network, and the words that the server has. */
export function WordForm(): ReactNode {
  const [visitor, setVisitor] = useState('')
  const [sent, send] = useActionState(addWord, 0)
  const words = useWords(visitor, sent)
  // Set the visitor's id in the browser, because the page is the same for everybody.
  useEffect(() => setVisitor(visitorId()), [])
  return (
    <div className={styles.words}>
      <form name="word" aria-label="A word" offline="queue" action={send} className="controls">
        <input type="hidden" name="visitor" value={visitor} />
        <label className="field">
          <span>A word</span>
          <input name="word" maxLength={40} required autoComplete="off" />
        </label>
        <button type="submit" className="button">
          Send
        </button>
      </form>
      <Outbox name="word" />
      <p role="status">
        {words.length === 0
          ? 'The server has no words yet.'
          : `The server has: ${words.join(', ')}`}
      </p>
    </div>
  )
}

/** Shows whether this page came from the network or from the cache. */
export function Origin(): ReactNode {
  const { from, atMs } = useArrival()
  return (
    <p>
      {from === 'saved' && atMs !== null
        ? `This page was saved at ${new Date(atMs).toLocaleTimeString()}.`
        : 'This page came from the network.'}
    </p>
  )
}

/** Reads the words from the server after each submission, and after the last waiting word was sent. */
function useWords(visitor: string, sent: number): readonly string[] {
  const { length } = useOutbox({ name: 'word' })
  const [words, setWords] = useState<readonly string[]>([])
  useEffect(() => {
    let isCurrent = true
    const show = (all: readonly string[]) => {
      if (isCurrent) setWords(all)
    }
    // Don't fetch the words while one is waiting to be sent, because the browser may be offline.
    if (visitor !== '' && length === 0 && sent >= 0) readWords(visitor).then(show, () => {})
    return () => {
      isCurrent = false
    }
  }, [visitor, length, sent])
  return words
}

function visitorId(): string {
  const key = 'lab-offline'
  const id = sessionStorage.getItem(key) ?? crypto.randomUUID()
  sessionStorage.setItem(key, id)
  return id
}
