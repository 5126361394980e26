'use client'

import { type ReactNode, useState } from 'react'
import { Link } from 'waymark'

/** A field, and a link to the page whose param is the typed text. */
export function TryParam(): ReactNode {
  const [text, setText] = useState('Größe: 50% / 2?')
  return (
    <div className="stage">
      <label className="field">
        <span>Any text</span>
        <input type="text" value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <p>{isSegment(text) ? <Written id={text} /> : 'This text can’t be a segment of a URL.'}</p>
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

// Reject dots alone, slashes and control characters, which have a meaning in a path even if they are
// encoded twice.
const meaningful = /^\.{0,2}$|[/\\\p{Cc}]|%(?:25)*(?:2f|5c|2e|[01][\da-f]|7f)/iu

function isSegment(text: string): boolean {
  return text.isWellFormed() && !meaningful.test(text)
}
