'use client'

import { type ReactNode, startTransition, useOptimistic } from 'react'
import { addItem } from './actions.ts'
import styles from './list.module.css'
import type { Item } from './list.ts'

/**
 * A list that shows a new entry before the server has stored it. The list's form also works without
 * scripts.
 */
export function ItemList({ items }: { items: readonly Item[] }): ReactNode {
  const [coming, expect] = useOptimistic<readonly Item[], string>([], (all, text) => [
    ...all,
    { id: `coming ${all.length}`, text },
  ])
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
        className="controls"
        action={addItem}
        onSubmit={({ currentTarget }) => {
          const text = String(new FormData(currentTarget).get('text'))
          startTransition(() => expect(text))
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
    </div>
  )
}
