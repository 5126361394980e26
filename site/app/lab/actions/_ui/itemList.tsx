'use client'

import { type ReactNode, useOptimistic, useRef, useState } from 'react'
import { ActionError } from 'waymark/client'
import { addItem } from './actions.ts'
import styles from './list.module.css'
import type { Item } from './list.ts'

/** A list whose new entry shows before the server has it. */
export function ItemList({ items }: { items: readonly Item[] }): ReactNode {
  const [coming, expect] = useOptimistic<readonly Item[], string>([], (all, text) => [
    ...all,
    { id: `coming ${all.length}`, text },
  ])
  const [failed, setFailed] = useState<ActionError | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const attempt = async (call: () => Promise<unknown>) => {
    try {
      await call()
      setFailed(null)
      form.current?.reset()
    } catch (error) {
      // The form still holds what was entered.
      if (!(error instanceof ActionError) || error.code !== 'unanswered') throw error
      setFailed(error)
    }
  }
  return (
    <div className="stage">
      <ul className={styles.list} aria-label="Your list">
        {items.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
        {coming.map(({ id, text }) => (
          <li key={id} className={styles.waiting}>
            {text}
          </li>
        ))}
      </ul>
      <form
        ref={form}
        className="controls"
        action={async (fields) => {
          expect(String(fields.get('text')))
          await attempt(() => addItem(fields))
        }}
      >
        <label className="field">
          <span>Something to remember</span>
          <input name="text" required maxLength={40} autoComplete="off" />
        </label>
        <button type="submit" className="button">
          Add
        </button>
      </form>
      {failed && (
        <p role="alert">
          This could not be sent.{' '}
          <button type="button" className="button" onClick={() => attempt(failed.retry)}>
            Try again
          </button>
        </p>
      )}
    </div>
  )
}
