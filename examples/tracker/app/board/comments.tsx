'use client'

import { startTransition, useOptimistic } from 'react'
import type { Comment } from '../../database/database.ts'

type VisibleComment = Pick<Comment, 'id' | 'author' | 'text' | 'file'>

type Props = {
  readonly comments: readonly VisibleComment[]
  readonly action: (fields: FormData) => Promise<void>
  readonly author: string
}

/**
 * List of comments, and a form for a new one. A new comment appears before the server has stored it. The
 * text stays in the form if sending fails, and the form also works without JavaScript.
 */
export function Comments({ comments, action, author }: Props) {
  const [visible, expect] = useOptimistic(
    comments,
    (all: readonly VisibleComment[], text: string) => [
      ...all,
      { id: 'expected', author, text, file: null },
    ],
  )
  return (
    <section aria-label="Comments" className="stack">
      <ul className="comments">
        {visible.map(({ id, author, text, file }) => (
          <li key={id} aria-busy={id === 'expected'}>
            <b>{author}</b>
            {file ? <a href={`/uploads/${file}`}>{text}</a> : <span className="text">{text}</span>}
          </li>
        ))}
      </ul>
      <form
        action={action}
        className="stack"
        onSubmit={({ currentTarget }) => {
          const text = String(new FormData(currentTarget).get('text')).trim()
          startTransition(() => expect(text))
        }}
      >
        <textarea name="text" aria-label="Comment" rows={3} required maxLength={5_000} />
        <p>
          <button type="submit">Send</button>
        </p>
      </form>
    </section>
  )
}
