'use client'

import { type ReactNode, useState } from 'react'
import { Link } from 'waymark'

/** A link to whatever was typed. */
export function TryParam(): ReactNode {
  const [text, setText] = useState('Größe: 50% / 2?')
  return (
    <div className="stage">
      <label className="field">
        <span>Any text</span>
        <input type="text" value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <p>{isSegment(text) ? <Written id={text} /> : 'No segment of a URL can hold this text.'}</p>
    </div>
  )
}

function Written({ id }: { id: string }): ReactNode {
  return (
    <>
      <Link href={{ pathname: '/lab/params/[id]', params: { id } }}>Go there</Link>:{' '}
      <code>/lab/params/{encodeURIComponent(id)}</code>
    </>
  )
}

// Dots alone, slashes and control characters mean something in a path, encoded twice as well.
const meaningful = /^\.{0,2}$|[/\\\p{Cc}]|%(?:25)*(?:2f|5c|2e|[01][\da-f]|7f)/iu

function isSegment(text: string): boolean {
  return text.isWellFormed() && !meaningful.test(text)
}
